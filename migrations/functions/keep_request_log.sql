-- Makes the days of request_log from the one before p_now to the second after it, and drops those that ended more than 7 days before.
-- A row says by its id when it was made, so that a day goes as a whole. Returns how many days were dropped.
create or replace function keep_request_log(p_now timestamptz) returns int
language plpgsql
-- Whoever reads must not queue behind it: it is tried again.
set lock_timeout = '1s'
as $$
declare
  today timestamp := date_trunc('day', p_now at time zone 'UTC');
  oldest text := to_char((p_now - interval '7 days') at time zone 'UTC', 'YYYY_MM_DD');
  first_moment timestamp;
  child text;
  dropped int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('afara.keep_request_log'));
  for ahead in -1..2 loop
    first_moment := today + make_interval(days => ahead);
    child := 'request_log_' || to_char(first_moment, 'YYYY_MM_DD');
    if to_regclass(child) is null then
      execute format('create table %I partition of request_log for values from (%L) to (%L)', child,
        uuidv7_floor(first_moment at time zone 'UTC'), uuidv7_floor((first_moment + interval '1 day') at time zone 'UTC'));
    end if;
  end loop;
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'request_log'::regclass and c.relname ~ '^request_log_\d{4}_\d{2}_\d{2}$'
       and c.relname < 'request_log_' || oldest
     order by 1
  loop
    execute format('drop table %I', child);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
