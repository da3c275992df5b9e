-- Whether a vendor is reached and takes our keys, by what each node that dispatches has heard of it: asking, reached, refused, not_reached.
-- Null: its adapter does not say, or a node of the version before wrote the row. With it `at` is since when both `ready` and this are what
-- they are. Whoever brings money in has a row too, without being a route.
alter table node_routes add column contact text check (contact in ('asking', 'reached', 'refused', 'not_reached'));

-- When a vendor last let any node in. Outlives the nodes: a vendor without a row was never reached.
create table vendors_reached (
  vendor text primary key,
  at timestamptz not null
);
