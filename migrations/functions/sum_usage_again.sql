-- Has an account's usage summed up anew from its orders by the job `usage`: after they were changed past the functions.
create or replace function sum_usage_again(p_account uuid) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('afara.usage'));
  delete from usage_days where account_id = p_account;
  insert into usage_fills (account_id, filled_from, due_at)
  values (p_account, date_bin('1 hour', clock_timestamp(), 'epoch') + interval '2 hours', clock_timestamp())
  on conflict (account_id) do update set filled_from = excluded.filled_from, due_at = excluded.due_at;
end
$$;
