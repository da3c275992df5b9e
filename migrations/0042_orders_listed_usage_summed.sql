-- Lists of one service or one status take their pages from here, however many other orders the account has: of each service and state
-- the newest, by its own stretch. The order of ids is another one than the primary key's, so that the planner never walks all orders of
-- the account by that instead.
create index orders_listed on orders (account_id, mode, service, state, id desc nulls last);

-- Sums of orders by their day of acceptance in Lagos. The job `usage` adds usage_changes to them.
create table usage_days (
  account_id uuid not null,
  mode text not null,
  day date not null,
  service text not null,
  state text not null,
  orders bigint not null,
  price_kobo bigint not null,
  held_kobo bigint not null,
  charged_kobo bigint not null,
  refunded_kobo bigint not null,
  primary key (account_id, mode, day, service, state)
);

-- What each transaction changes of those sums: rows are added only, so that no order waits for another one's commit. Both together are
-- the sums at any moment. hour: of the orders' acceptance.
create table usage_changes (
  account_id uuid not null,
  mode text not null,
  hour timestamptz not null,
  service text not null,
  state text not null,
  orders bigint not null,
  price_kobo bigint not null,
  held_kobo bigint not null,
  charged_kobo bigint not null,
  refunded_kobo bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index usage_changes_by_account on usage_changes (account_id, mode, hour);

-- Accounts whose orders before filled_from are not in those sums yet; the job `usage` fills them in slices, the newest first. It begins
-- when no call of the functions before can be under way.
create table usage_fills (
  account_id uuid primary key,
  filled_from timestamptz not null,
  due_at timestamptz not null
);

insert into usage_fills (account_id, filled_from, due_at)
select id, date_bin('1 hour', clock_timestamp(), 'epoch') + interval '2 hours', clock_timestamp() + interval '1 minute' from accounts;

-- functions: 7e0a517042f5ae3a
