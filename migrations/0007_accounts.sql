-- Accounts for companies: members, settings, and keys that are replaced, capped and seen at work.

alter table accounts
  add default_sender text check (length(default_sender) between 1 and 20), -- null: the configuration's
  add low_balance_kobo bigint check (low_balance_kobo >= 0);               -- null: no event when money runs low

-- People of an account, by their address. What each role may do: src/accounts/roles.ts.
create table members (
  account_id uuid not null references accounts,
  email text not null check (email = lower(email) and length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 200),
  role text not null check (role in ('owner', 'developer', 'finance', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (account_id, email)
);

alter table api_keys
  add spend_cap_kobo bigint check (spend_cap_kobo >= 0), -- a day in Lagos; null: as much as the wallet has
  add last_used_at timestamptz,                          -- to about two minutes
  add rolled_at timestamptz,                             -- replaced by another key …
  add rolled_until timestamptz,                          -- … and good until then
  add replaced_by uuid references api_keys,
  add spends_as uuid,                                    -- the first of the keys that took each other's place: they share a day's cap
  add check ((rolled_at is null) = (rolled_until is null) and (rolled_at is null) = (replaced_by is null));
