-- Trigger: an SMS refused for do-not-disturb suppresses promotional messages to that line for 30 days.
create or replace function suppress_dnd() returns trigger
language plpgsql as $$
begin
  insert into suppressions (account_id, mode, phone, person, source, id, reason, created_at, expires_at)
  values (new.account_id, new.mode, new.recipient, new.recipient, 'network', uuidv7_now(), 'dnd', new.updated_at, new.updated_at + interval '30 days')
  on conflict (account_id, mode, phone, source) do update
    set created_at = excluded.created_at, expires_at = excluded.expires_at;
  return null;
end
$$;
