-- The feed: every event that subscribers can hear, in the order in which they may read it (ADR 42).

-- The transaction that wrote the event. Null: it was written before this migration. The default comes second, so that no row is
-- rewritten. Not part of a backup: it means nothing on another server.
alter table events add column xid xid8;
alter table events alter column xid set default pg_current_xact_id();
create index events_to_place on events (xid) where type is not null and xid is not null;

-- Positions are time: see feed_position.
-- define: feed_position

-- `id`: partitioned by the UUIDv7 of an order; `position`: by feed_position.
alter table partitioned_tables add column key text not null default 'id' check (key in ('id', 'position'));
-- define: ensure_partitions

-- One row for each event that has its place, written by place_events alone.
create table feed (
  account_id uuid not null,
  mode text not null,
  position bigint not null,
  order_id uuid not null,
  version int not null,
  type text not null,
  primary key (account_id, mode, position)
) partition by range (position);
create index feed_by_order on feed (account_id, order_id, position);
insert into partitioned_tables (name, key) values ('feed', 'position');

-- How far place_events is: one row, made by its first run. Not part of a backup.
create table feed_progress (
  only_row boolean primary key default true check (only_row),
  -- The server whose transactions `snapshot` is about.
  server text not null,
  -- Every event that it shows has its place.
  snapshot pg_snapshot not null,
  -- Of the last event placed.
  position bigint not null
);

-- functions: 092bb46d1e79dd85
