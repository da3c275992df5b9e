-- Trigger, for nodes of an older build, whose rows have only a phone.
create or replace function name_suppressed_person() returns trigger language plpgsql as $$
begin
  new.person := person_of(new.account_id, new.mode, new.phone);
  if new.person <> new.phone then new.phone := null; end if;
  return new;
end
$$;
