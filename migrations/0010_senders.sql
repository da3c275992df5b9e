-- Sender IDs of live messages, approved by the operator for each network. A test key's are approved when they are made.
create table senders (
  account_id uuid not null references accounts,
  mode text not null check (mode in ('live', 'test')),
  name_key text not null,  -- in lower case: networks show the case and don't tell senders apart by it
  id uuid not null unique,
  name text not null check (lower(name) = name_key), -- as written
  class text not null check (class in ('transactional', 'promotional', 'both')),
  evidence text,           -- what shows that the name is the account's own, for the operator
  networks jsonb not null, -- {"mtn": "approved" | "pending" | "refused", …}
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, name_key)
);
create index senders_by_name on senders (name_key);
create index senders_listed on senders (account_id, mode, id);

-- Numbers that get no promotional messages from an account. One row for each who said so: a recipient's START takes back the
-- recipient's STOP, and nothing else. No foreign key: what a vendor answered is recorded whatever becomes of an account.
create table suppressions (
  account_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  phone text not null,
  source text not null check (source in ('recipient', 'network', 'account')),
  id uuid not null unique,
  reason text not null,
  created_at timestamptz not null,
  expires_at timestamptz, -- null: until it is taken back
  primary key (account_id, mode, phone, source)
);
create index suppressions_listed on suppressions (account_id, mode, id);

-- A promotional message that ended because the recipient has Do-Not-Disturb on: in the transaction that records the answer, so
-- none is missed. Two batches with the same numbers in another order may wait for each other; the one that is undone is
-- repeated like every batch.
create function suppress_dnd() returns trigger
language plpgsql as $$
begin
  insert into suppressions (account_id, mode, phone, source, id, reason, created_at, expires_at)
  values (new.account_id, new.mode, new.recipient, 'network', uuidv7_now(), 'dnd', new.updated_at, new.updated_at + interval '30 days')
  on conflict (account_id, mode, phone, source) do update
    set created_at = excluded.created_at, expires_at = excluded.expires_at;
  return null;
end
$$;
-- The condition is looked at in place: an order without a failure pays for one comparison with null.
create trigger orders_dnd after update on orders for each row
  when (new.facts is not null and old.ended_at is null and new.ended_at is not null and new.service = 'sms'
        and new.facts #>> '{failure,code}' = 'dnd' and new.payload ->> 'route' = 'promotional')
  execute function suppress_dnd();
