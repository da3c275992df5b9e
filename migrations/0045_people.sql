-- People who sign in (ADR 47). The tables of better-auth's models; nothing is made at run time.
create table auth_people (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  email_verified boolean not null,
  image text,
  two_factor_enabled boolean not null default false,
  approved boolean not null default true, -- false: signed up, and waits for the operator
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table auth_sessions (
  id uuid primary key,
  person_id uuid not null references auth_people on delete cascade,
  token text not null unique,
  expires_at timestamptz not null, -- moved on while it is used, up to 30 days after created_at
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index auth_sessions_person_id_idx on auth_sessions (person_id);

-- How a person proves who they are; today by a password alone.
create table auth_credentials (
  id uuid primary key,
  person_id uuid not null references auth_people on delete cascade,
  provider_id text not null,
  external_id text not null,
  password text, -- scrypt
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index auth_credentials_person_id_idx on auth_credentials (person_id);

-- Links that were mailed, by the hash of their token, and second steps of signing in.
create table auth_verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index auth_verifications_identifier_idx on auth_verifications (identifier);

create table auth_second_factors (
  id uuid primary key,
  person_id uuid not null references auth_people on delete cascade,
  secret text not null,       -- sealed
  backup_codes text not null, -- sealed
  verified boolean not null default true,
  failed_verification_count int not null default 0,
  locked_until timestamptz,
  last_code text -- SHA-256 of the code that was used last: it is not taken again
);
create index auth_second_factors_secret_idx on auth_second_factors (secret);
create index auth_second_factors_person_id_idx on auth_second_factors (person_id);

-- Mails of a local gateway, which has nobody to send them: the last 50.
create table auth_outbox (
  id uuid primary key, -- in the order of time
  recipient text not null,
  subject text not null,
  text text not null,
  at timestamptz not null
);

-- Who belongs to an account. What each role may do: src/accounts/roles.ts.
create table account_members (
  account_id uuid not null references accounts,
  person_id uuid not null references auth_people on delete cascade,
  role text not null check (role in ('owner', 'developer', 'finance', 'viewer')),
  created_at timestamptz not null,
  primary key (account_id, person_id)
);
create index account_members_person on account_members (person_id);

-- Open invitations: the row goes with the answer.
create table account_invitations (
  id uuid primary key,
  account_id uuid not null references accounts,
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  role text not null check (role in ('owner', 'developer', 'finance', 'viewer')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (account_id, email)
);
create index account_invitations_email on account_invitations (email);

-- Members were addresses without a way to sign in. Whoever proves the address takes the place up.
insert into account_invitations (id, account_id, email, role, created_at, expires_at)
select gen_random_uuid(), account_id, email, role, created_at, now() + interval '90 days' from members;
drop table members;

-- Signed-in people act, too.
alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check check (actor_kind in ('operator', 'key', 'person', 'system'));
