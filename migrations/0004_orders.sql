-- An order is anything a subscriber pays for. The row is also its place in the queue: due_at says when it must next be
-- looked at (null: nothing to do), leased_* which node may act on it until when, version what a change must be based on.
create table orders (
  account_id uuid not null,
  id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  service text not null,
  queue text not null, -- '<service>:<mode>': which routes may take it
  state text not null,
  version int not null default 1,
  event_sequence int not null default 0, -- events published of this order, without gaps
  priority smallint not null,            -- 0 goes first
  due_at timestamptz,                    -- soon, or past; null: nothing to do soon
  later_at timestamptz,                  -- a due time further ahead, kept out of the queue until it is near
  leased_by uuid,
  leased_until timestamptz,
  lease_epoch int not null default 0,
  ambiguity text not null check (ambiguity in ('retry', 'fail', 'requery')),
  attempt int not null default 0,        -- the present attempt is columns of the order: there can be only one
  route text,
  begun_at timestamptz,                  -- committed before the call
  ambiguous_at timestamptz,              -- first lost answer, or acceptance that named no reference
  tries int not null default 0,          -- lost answers, or requeries, so far
  not_found_at timestamptz,              -- a requery did not find it, first
  tried text[] not null default '{}',    -- routes that refused it for certain
  pieces jsonb,                          -- of the present attempt: [{status, reference?}]
  price_kobo bigint not null check (price_kobo >= 0),
  tax_kobo bigint not null check (tax_kobo >= 0),
  recipient text not null,
  group_id uuid,
  reference text,
  metadata jsonb,
  payload jsonb not null,                -- what the service stored for itself and its adapters
  facts jsonb,                           -- what was learned on the way
  send_at timestamptz,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (account_id, id)
) partition by range (id);
create index orders_due on orders (queue, priority, account_id, due_at) where due_at is not null;
create index orders_later on orders (later_at) where later_at is not null;
create index orders_by_recipient on orders (account_id, recipient, id);
create index orders_by_group on orders (account_id, group_id, id) where group_id is not null;
create index orders_ambiguous on orders (route, recipient) where ambiguous_at is not null and ended_at is null;
insert into partitioned_tables values ('orders');

-- The one place of uniqueness for idempotency keys and references (a unique rule can't live on a partitioned table).
create table order_keys (
  account_id uuid not null,
  mode text not null,
  kind text not null check (kind in ('key', 'reference')),
  key text not null,
  target_id uuid not null, -- an order or a group
  fingerprint bytea not null,
  created_at timestamptz not null default now(),
  primary key (account_id, mode, kind, key)
);

-- Orders accepted together (a bulk): all or nothing, and one event when the last of them has ended.
create table order_groups (
  account_id uuid not null,
  id uuid not null,
  mode text not null,
  service text not null,
  total int not null,
  open int not null check (open >= 0),
  payload jsonb not null,
  completion_event text,
  event_sequence int not null default 0,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (account_id, id)
);

-- Timeline and feed in one: a row for each change of an order; rows with a type are events that subscribers see.
create table events (
  account_id uuid not null,
  order_id uuid not null, -- or a group's, or an inbound message's
  version int not null,
  mode text not null,
  id uuid,
  type text,
  sequence int,
  status text not null,
  previous_status text,
  at timestamptz not null,
  detail jsonb,
  primary key (account_id, order_id, version),
  check ((type is null) = (id is null) and (type is null) = (sequence is null))
) partition by range (order_id);
insert into partitioned_tables values ('events');

-- Where a vendor's report meets the record of the answer that named the reference, whichever comes first. Both insert
-- here before they read: whoever is second sees the first.
create table provider_references (
  route text not null,
  reference text not null,
  account_id uuid,
  order_id uuid, -- null: only reports so far
  attempt int,
  piece int,
  parked jsonb,  -- reports that wait for their order, or that have met it and are to be applied
  parked_recipient text,
  earlier jsonb, -- [{account_id, order_id, attempt, piece, at}]: orders that had the reference before this one, oldest first
  apart jsonb,   -- reports about another recipient than the order's: they wait for the next order with the reference
  created_at timestamptz not null default now(),
  primary key (route, reference)
);
create index provider_references_parked on provider_references (route, parked_recipient) where parked is not null;
create index provider_references_met on provider_references (route, reference) where parked is not null and order_id is not null;
create index provider_references_age on provider_references using brin (created_at);

-- A reference older than this may have been given out again by the vendor.
create function believed(reference provider_references) returns boolean language sql stable as $$
  select reference.created_at > now() - interval '7 days'
$$;

-- The last 50 of a list: a vendor that repeats itself for ever must not make a row that grows for ever.
create function bounded_json(list jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_array_length(list) <= 50 then list else jsonb_path_query_array(list, '$[last - 49 to last]') end
$$;

create table inbound_numbers (
  number text not null, -- short code or number that handsets write to
  mode text not null,
  account_id uuid not null references accounts,
  primary key (number, mode)
);

create table inbound_messages (
  provider text not null,
  provider_reference text not null,
  id uuid not null unique,
  mode text not null,
  account_id uuid, -- null: nobody has the number; kept for the operator
  sender text not null,
  recipient text not null,
  body text not null,
  facts jsonb,
  received_at timestamptz not null,
  primary key (provider, provider_reference)
);

create table nodes (
  id uuid primary key,
  role text not null,
  started_at timestamptz not null default clock_timestamp(),
  heartbeat_at timestamptz not null default clock_timestamp()
);

-- What each dispatching node says of its routes, with its heartbeat: the command line shows it.
create table node_routes (
  node uuid not null references nodes on delete cascade,
  route text not null,
  ready boolean not null,  -- connected to the vendor
  detail text,             -- why not; or, connected, that the circuit breaker leaves the vendor alone
  at timestamptz not null default clock_timestamp(), -- since when `ready` is what it is
  primary key (node, route)
);

-- An operator's pause switch. No row: the route runs.
create table route_pauses (
  route text primary key,
  reason text not null,
  paused_at timestamptz not null default clock_timestamp()
);

-- Due times further ahead than this wait in later_at: thousands of accounts with a message for next week must not stand in
-- the way of each claim. Larger than a lease and than any short wait for a repeat; the queue is filled from it every second.
create function due_horizon() returns timestamptz language sql stable as $$
  select now() + interval '90 seconds'
$$;

create function wake_orders(p_now timestamptz) returns void language sql as $$
  update orders o set due_at = o.later_at, later_at = null
    from (select account_id, id from orders where later_at <= p_now + interval '60 seconds'
           order by later_at limit 5000 for update skip locked) near
   where o.account_id = near.account_id and o.id = near.id
$$;

select ensure_partitions();
