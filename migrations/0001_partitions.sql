-- Tables that grow are range-partitioned by the UUIDv7 of their order: time-ordered, so a period's rows sit together and
-- a whole period can be detached. One partition a month, made three months ahead.

-- The smallest UUID a UUIDv7 made at `moment` can have: 48 bits of Unix milliseconds, then zeros. Moments that do not fit
-- (before 1970, after 10889) count as the nearest that does.
create function uuidv7_floor(moment timestamptz) returns uuid
language sql immutable strict parallel safe as $$
  select (lpad(to_hex(least(greatest((extract(epoch from moment) * 1000)::bigint, 0), 281474976710655)), 12, '0') || repeat('0', 20))::uuid
$$;

create table partitioned_tables (
  name text primary key
);

-- Makes the partitions of this month and the three after it. A row outside them goes to the DEFAULT partition, which
-- raises an alarm (see default_partition_rows): nothing is lost, but no period may be detached until it is looked at.
create function ensure_partitions() returns int
language plpgsql as $$
declare
  parent text;
  first_day timestamptz;
  made int := 0;
  child text;
begin
  perform pg_advisory_xact_lock(hashtext('afara.ensure_partitions'));
  for parent in select name from partitioned_tables order by name loop
    for ahead in 0..3 loop
      first_day := date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' + make_interval(months => ahead);
      child := format('%s_%s', parent, to_char(first_day at time zone 'UTC', 'YYYY_MM'));
      if to_regclass(child) is null then
        execute format('create table %I partition of %I for values from (%L) to (%L)', child, parent,
          uuidv7_floor(first_day), uuidv7_floor(first_day + interval '1 month'));
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

create function default_partition_rows() returns bigint
language plpgsql as $$
declare
  parent text;
  found_rows bigint;
  total bigint := 0;
begin
  for parent in select name from partitioned_tables loop
    execute format('select count(*) from (select 1 from %I limit 1000) s', parent || '_default') into found_rows;
    total := total + found_rows;
  end loop;
  return total;
end
$$;
