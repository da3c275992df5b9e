-- Trigger: a chat message's SMS fallback counts against the monthly SMS quota once it is certain to be sent: at acceptance when
-- the window is closed, otherwise when the chat message has failed. `payload.fallback.quota` has the limit of the account's SMS
-- plan, if any.
create or replace function count_fallback_sms() returns trigger
language plpgsql as $$
declare
  quota jsonb := new.payload #> '{fallback,quota}';
  total bigint;
begin
  insert into usage_counters (account_id, mode, service, period, used)
  values (new.account_id, new.mode, 'sms', quota ->> 'period', 1)
  on conflict (account_id, mode, service, period) do update set used = usage_counters.used + 1
  returning used into total;
  -- An accepted message keeps its fallback even when the quota has been used up since.
  if tg_op = 'INSERT' and total > (quota ->> 'limit')::bigint then
    raise exception 'the quota of SMS is used up' using errcode = '23514', constraint = 'sms_quota';
  end if;
  return null;
end
$$;
