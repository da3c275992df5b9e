-- Passkeys (ADR 51), confirmed sessions (ADR 52), operators, and who made a key.

create table auth_passkeys (
  id uuid primary key,
  person_id uuid not null references auth_people on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null, -- COSE
  counter bigint not null check (counter >= 0), -- 0 all along: it does not count
  transports text[] not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index auth_passkeys_person_id_idx on auth_passkeys (person_id);

-- The owner of a local account may have a password now, and signs in with an address that looks like one.
update auth_people set email = 'owner@localhost.invalid' where email = 'owner@localhost';

-- When the person last showed in this session that it is they; null: when it began.
alter table auth_sessions add confirmed_at timestamptz;

-- People who run the gateway. One is an operator once there is a person, who has a second factor.
create table operators (
  id uuid primary key,
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  person_id uuid unique references auth_people on delete cascade, -- null: invited
  link_hash text,
  link_expires_at timestamptz,
  created_at timestamptz not null,
  check ((link_hash is null) = (link_expires_at is null)),
  check (person_id is not null or link_hash is not null)
);

-- The person who made it in the portal; null: the operator did, or it was made before this was noted.
alter table api_keys add made_by uuid references auth_people on delete set null;
create index api_keys_made_by on api_keys (made_by) where made_by is not null;
