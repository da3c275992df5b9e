-- Makes the first partition that is missing of this month and the next three, with the settings (fillfactor) of the DEFAULT one, which
-- do not come from the parent. Returns how many were made, and is called until that is 0. A row outside all partitions goes to the
-- DEFAULT one, which raises an alarm (default_partition_rows): nothing is lost, but no period may be detached until somebody has
-- looked at it.
--
-- One a transaction: each locks its table for all, and several deadlock with orders, which take the tables in another order. A table
-- with a reader (a backup, a proof of the ledger) is passed over, because everybody else would wait behind; it is tried again an hour
-- later, and has three months for it. Only for the month that has begun the reader is waited for. So is a table passed over whose
-- DEFAULT partition has rows of the month: they are an alarm already, and no reason to keep the others from theirs.
create or replace function ensure_partitions() returns int
language plpgsql
set lock_timeout = '200ms' -- which also puts it back at the end
set timezone = 'UTC' -- months are counted in the session's zone, and in most others a summer's begin an hour early
as $$
declare
  parent text;
  parent_key text;
  settings text;
  first_day timestamptz;
  next_month timestamptz;
  child text;
begin
  if not pg_try_advisory_xact_lock(hashtext('afara.ensure_partitions')) then return 0; end if; -- another node is at it
  for parent, parent_key in select name, key from partitioned_tables order by name loop
    begin
      select 'with (' || array_to_string(reloptions, ', ') || ')' into settings from pg_class where oid = to_regclass(parent || '_default');
      for ahead in 0..3 loop
        first_day := date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' + make_interval(months => ahead);
        next_month := first_day + interval '1 month';
        child := format('%s_%s', parent, to_char(first_day at time zone 'UTC', 'YYYY_MM'));
        if to_regclass(child) is null then
          perform set_config('lock_timeout', case ahead when 0 then '0' else '200ms' end, true);
          execute format('create table %I partition of %I for values from (%L) to (%L) %s', child, parent,
            case parent_key when 'position' then feed_position(first_day)::text else uuidv7_floor(first_day)::text end,
            case parent_key when 'position' then feed_position(next_month)::text else uuidv7_floor(next_month)::text end, settings);
          return 1;
        end if;
      end loop;
      if to_regclass(parent || '_default') is null then
        execute format('create table %I partition of %I default', parent || '_default', parent);
        return 1;
      end if;
    exception when lock_not_available or check_violation or invalid_object_definition then
      null; -- the next table; the last: months that were once made by another zone's clock overlap this one
    end;
  end loop;
  return 0;
end
$$;
