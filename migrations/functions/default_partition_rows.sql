-- How many rows the DEFAULT partitions hold, up to 1000 for each table. Should be 0: see ensure_partitions.
create or replace function default_partition_rows() returns bigint
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
