-- A call that was never heard goes again under the name that was committed for it (docs/adr/0019): its attempt is on record
-- already. A reference that any other attempt has still fails the change, by the primary key.
create function keep_attempt() returns trigger
language plpgsql as $$
begin
  if exists (select 1 from attempts a
              where a.route = new.route and a.reference = new.reference
                and a.account_id = new.account_id and a.order_id = new.order_id and a.attempt = new.attempt)
  then return null; end if;
  return new;
end
$$;
create trigger attempts_kept before insert on attempts for each row execute function keep_attempt();
