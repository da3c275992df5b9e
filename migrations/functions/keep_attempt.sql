-- Trigger: a call that never reached its vendor is repeated under the reference committed for it (docs/adr/0019), so its attempt
-- is already recorded. A reference of any other attempt still fails the change, by the primary key.
create or replace function keep_attempt() returns trigger
language plpgsql as $$
begin
  if exists (select 1 from attempts a
              where a.route = new.route and a.reference = new.reference
                and a.account_id = new.account_id and a.order_id = new.order_id and a.attempt = new.attempt)
  then return null; end if;
  return new;
end
$$;
