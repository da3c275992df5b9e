-- Creates the partitions of this month and the next three, with the settings (fillfactor) of the DEFAULT one, which do not come from
-- the parent. A row outside them goes to the DEFAULT partition, which raises an alarm (default_partition_rows): nothing is lost, but
-- no period may be detached until somebody has looked at it.
create or replace function ensure_partitions() returns int
language plpgsql as $$
declare
  parent text;
  parent_key text;
  settings text;
  first_day timestamptz;
  next_month timestamptz;
  made int := 0;
  child text;
begin
  perform pg_advisory_xact_lock(hashtext('afara.ensure_partitions'));
  for parent, parent_key in select name, key from partitioned_tables order by name loop
    select 'with (' || array_to_string(reloptions, ', ') || ')' into settings from pg_class where oid = to_regclass(parent || '_default');
    for ahead in 0..3 loop
      first_day := date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' + make_interval(months => ahead);
      next_month := first_day + interval '1 month';
      child := format('%s_%s', parent, to_char(first_day at time zone 'UTC', 'YYYY_MM'));
      if to_regclass(child) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L) %s', child, parent,
          case parent_key when 'position' then feed_position(first_day)::text else uuidv7_floor(first_day)::text end,
          case parent_key when 'position' then feed_position(next_month)::text else uuidv7_floor(next_month)::text end, settings);
        made := made + 1;
      end if;
    end loop;
    if to_regclass(parent || '_default') is null then
      execute format('create table %I partition of %I default', parent || '_default', parent);
    end if;
  end loop;
  return made;
end
$$;
