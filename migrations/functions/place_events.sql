-- Gives each event that was committed since the last run its place in the feed, exactly once, and returns the position of the last
-- event that has one; null before the first run has ended. One node at a time: the others return at once.
--
-- It goes by what is visible, never by numbers or times, which concurrent transactions take in another order than they commit in
-- (ADR 42). New is what this statement's snapshot shows and the last run's did not: written by a transaction that was under way
-- then (`xip`) or began later (`xmax` and above). A slow transaction is new whenever it commits, and the one that writes an order's
-- second event sees its first, so both are in order. The events of one run are put in order by time, and those of an order by their
-- number.
--
-- A run without news writes nothing and takes no transaction id; once an hour it moves the position on.
-- Settings: see accept_orders.
create or replace function place_events() returns bigint
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  last feed_progress;
  under_way xid8[];
  began xid8;
  base bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('afara.place_events')) then
    return (select p.position from feed_progress p);
  end if;
  -- Not before the lock: what the run before it committed must be visible.
  select * into last from feed_progress;
  if last.server is distinct from (select c.system_identifier::text from pg_control_system() c) then
    return place_first_events();
  end if;

  under_way := array(select pg_snapshot_xip(last.snapshot));
  began := pg_snapshot_xmax(last.snapshot);
  if not exists (select 1 from events e where e.type is not null and e.xid = any(under_way))
     and not exists (select 1 from events e where e.type is not null and e.xid >= began) then
    -- Readers without events go on from here, and must not seem to have been away for weeks.
    if last.position < feed_position(clock_timestamp() - interval '1 hour') then
      update feed_progress p set position = feed_position(clock_timestamp()) returning p.position into last.position;
    end if;
    return last.position;
  end if;

  base := greatest(last.position, feed_position(clock_timestamp()));
  with fresh as (
    select e.account_id, e.mode, e.order_id, e.version, e.sequence, e.type, e.at
      from events e where e.type is not null and e.xid = any(under_way)
    union all
    select e.account_id, e.mode, e.order_id, e.version, e.sequence, e.type, e.at
      from events e where e.type is not null and e.xid >= began),
  -- No earlier than the events of the same order before it, whatever their nodes' clocks said.
  timed as (
    select f.*, max(f.at) over (partition by f.account_id, f.mode, f.order_id order by f.sequence) as since from fresh f),
  numbered as (
    select t.*, row_number() over (order by t.since, t.account_id, t.mode, t.order_id, t.sequence) as number from timed t),
  placed as (
    insert into feed (account_id, mode, position, order_id, version, type)
    select n.account_id, n.mode, base + n.number, n.order_id, n.version, n.type from numbered n
    returning 1)
  update feed_progress p
     set snapshot = pg_current_snapshot(), position = base + (select count(*) from placed)
  returning p.position into base;
  return base;
end
$$;
