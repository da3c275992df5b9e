-- Serializes changes of an account's people and opt-outs, which are rare and read each other's tables.
create or replace function lock_people(p_account uuid, p_mode text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('afara.people ' || p_account || ' ' || p_mode, 0))
$$;
