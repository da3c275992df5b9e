create table accounts (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  suspended_at timestamptz,
  created_at timestamptz not null default now()
);

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode text not null check (mode in ('live', 'test')),
  hash bytea not null unique check (length(hash) = 32), -- HMAC-SHA-256 with the server's pepper
  start text not null, -- prefix and four characters, for people to recognise it
  last4 text not null,
  services text[],     -- null: all
  scopes text[] not null,
  cidrs text[],        -- null: from anywhere
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_by_account on api_keys (account_id);

create table subscriptions (
  account_id uuid not null references accounts,
  service text not null,
  plan text not null,
  since timestamptz not null default now(),
  primary key (account_id, service)
);

-- What was accepted in a period (a month in Lagos, e.g. '2026-11'), per service: guards the plan's monthly quota.
create table usage_counters (
  account_id uuid not null,
  mode text not null,
  service text not null,
  period text not null,
  used bigint not null default 0,
  primary key (account_id, mode, service, period)
) with (fillfactor = 50);

-- What all nodes of this database must agree on.
create table settings (
  name text primary key,
  value text not null
);
