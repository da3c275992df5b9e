-- The first run of place_events, which calls it: on a new database, after the upgrade to it, or on another server than before. Places
-- all visible events of the last 30 days that have no place yet, so that older ones of an order come before its next one.
--
-- A backup leaves out `xid` and `feed_progress`, so a restored row belongs to the transaction of the restore. Other copies (pg_dump)
-- bring both along; the transaction ids of another server mean nothing here and are taken out. Writers of events wait meanwhile.
create or replace function place_first_events() returns bigint
language plpgsql as $$
#variable_conflict use_column
declare
  this_server text := (select c.system_identifier::text from pg_control_system() c);
  base bigint;
begin
  if exists (select 1 from feed_progress) then
    lock table events in share row exclusive mode;
    update events set xid = null where type is not null and xid is not null;
  end if;

  base := greatest((select max(f.position) from feed f), feed_position(clock_timestamp()));
  with missing as (
    select e.account_id, e.mode, e.order_id, e.version, e.sequence, e.type, e.at
      from events e
     where e.type is not null and e.at > clock_timestamp() - interval '30 days'
       and not exists (
         select 1 from feed f where f.account_id = e.account_id and f.order_id = e.order_id and f.version = e.version)),
  timed as (
    select m.*, max(m.at) over (partition by m.account_id, m.mode, m.order_id order by m.sequence) as since from missing m),
  numbered as (
    select t.*, row_number() over (order by t.since, t.account_id, t.mode, t.order_id, t.sequence) as number from timed t),
  placed as (
    insert into feed (account_id, mode, position, order_id, version, type)
    select n.account_id, n.mode, base + n.number, n.order_id, n.version, n.type from numbered n
    returning 1)
  insert into feed_progress as p (server, snapshot, position)
  values (this_server, pg_current_snapshot(), base + (select count(*) from placed))
  on conflict (only_row) do update
    set server = excluded.server, snapshot = excluded.snapshot, position = excluded.position
  returning p.position into base;
  return base;
end
$$;
