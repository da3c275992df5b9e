-- Webhooks: addresses to which an account's events are posted (ADR 43).

create table webhook_endpoints (
  id uuid primary key,
  account_id uuid not null references accounts,
  mode text not null check (mode in ('live', 'test')),
  url text not null,
  types text[] not null, -- patterns: {*}, {sms.*,wallet.low}
  description text,
  may_vend boolean not null, -- tokens are shown in full, as to the key that made it
  status text not null check (status in ('unverified', 'active', 'paused', 'disabled')),
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  created_at timestamptz not null,
  updated_at timestamptz not null, -- by a person, or with the status
  -- How far in the feed: every event up to here is delivered or has a row in webhook_deliveries.
  position bigint not null,
  done bigint[] not null default '{}', -- later positions of which the same holds
  missed_before timestamptz,           -- events before it had left the feed before they were read
  next_at timestamptz,                 -- when a row of webhook_deliveries is due next; null while leased
  waiting int not null default 0,      -- rows of webhook_deliveries that are not given up
  event_sequence int not null default 0, -- of its own events: webhook.disabled
  -- What the latest attempts say about it.
  failures int not null default 0,     -- in a row
  failing_since timestamptz,
  rests int not null default 0,
  rest_until timestamptz,
  -- The node that delivers.
  leased_by uuid,
  leased_until timestamptz,
  lease_epoch int not null default 0,
  claimed_at timestamptz,
  check ((status = 'disabled') = (disabled_reason is not null))
) with (fillfactor = 50); -- updated all the time, never in an indexed column
create index webhook_endpoints_listed on webhook_endpoints (account_id, mode, id);

-- What signs: the current keys of an endpoint, and replaced ones until their end.
create table webhook_keys (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  secret text not null,      -- sealed
  private_key text not null, -- sealed
  public_key text not null,
  created_at timestamptz not null,
  expires_at timestamptz     -- null: current
);
create unique index webhook_keys_current on webhook_keys (endpoint_id) where expires_at is null;
create index webhook_keys_of on webhook_keys (endpoint_id);

-- Events that an endpoint is to get apart from the course of the feed: after a failure, behind one of their order, or again; and pings.
create table webhook_deliveries (
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  event_id uuid not null,
  type text not null,
  position bigint,          -- null: a ping
  subject_id uuid not null, -- whose events are kept in order
  body text,                -- of a ping; an event's is in the feed
  holds boolean not null,   -- later events of the subject wait for it
  attempts int not null default 0,
  step int not null default 0, -- of the schedule
  first_at timestamptz,     -- of the first attempt
  planned_at timestamptz,   -- by the schedule; it may be due earlier
  due_at timestamptz,       -- null: given up
  failed_at timestamptz,
  given_up_at timestamptz,
  primary key (endpoint_id, event_id),
  check ((position is null) = (body is not null)),
  check ((due_at is null) = (given_up_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
create index webhook_deliveries_holding on webhook_deliveries (endpoint_id, subject_id, position) where holds;

-- Every attempt.
create table webhook_attempts (
  id uuid primary key,
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  attempt int not null,
  succeeded boolean not null,
  response_status int,
  answer text, -- the start of the response, sealed
  error text,
  address text,
  duration_ms int not null,
  at timestamptz not null,
  next_attempt_at timestamptz
) partition by range (id);
insert into partitioned_tables (name) values ('webhook_attempts');
create index webhook_attempts_listed on webhook_attempts (endpoint_id, id);
create index webhook_attempts_failed on webhook_attempts (endpoint_id, id) where not succeeded;
select ensure_partitions();

-- functions: c1e0935603e45ed6
