-- Drops the months of webhook_attempts that ended more than 30 days ago. Returns how many.
create or replace function drop_old_attempts() returns int
language plpgsql
-- Deliveries must not queue behind it: it is tried again an hour later.
set lock_timeout = '1s'
as $$
declare
  oldest text := to_char((now() - interval '30 days') at time zone 'UTC', 'YYYY_MM');
  child text;
  dropped int := 0;
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'webhook_attempts'::regclass and c.relname ~ '^webhook_attempts_\d{4}_\d{2}$'
       and c.relname < 'webhook_attempts_' || oldest
     order by 1
  loop
    execute format('drop table %I', child);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
