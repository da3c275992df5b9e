-- A chat message's fallback by SMS is an SMS of the month's quota, counted when it is what will be sent: at acceptance when the
-- window is closed, else when the message has failed. `payload.fallback.quota` has the limit of the account's SMS plan, if it has one.
create function count_fallback_sms() returns trigger
language plpgsql as $$
declare
  quota jsonb := new.payload #> '{fallback,quota}';
  total bigint;
begin
  insert into usage_counters (account_id, mode, service, period, used)
  values (new.account_id, new.mode, 'sms', quota ->> 'period', 1)
  on conflict (account_id, mode, service, period) do update set used = usage_counters.used + 1
  returning used into total;
  -- A message that was accepted has its fallback, be the quota used up by then.
  if tg_op = 'INSERT' and total > (quota ->> 'limit')::bigint then
    raise exception 'the quota of SMS is used up' using errcode = '23514', constraint = 'sms_quota';
  end if;
  return null;
end
$$;
create trigger orders_fallback_at_once after insert on orders for each row
  when (new.service = 'chat' and new.payload #> '{fallback,quota}' is not null and (new.payload #>> '{fallback,at_once}')::boolean)
  execute function count_fallback_sms();
create trigger orders_fallback_later after update of facts on orders for each row
  when (new.service = 'chat' and new.payload #> '{fallback,quota}' is not null and new.facts ? 'first_way' and not coalesce(old.facts ? 'first_way', false))
  execute function count_fallback_sms();
