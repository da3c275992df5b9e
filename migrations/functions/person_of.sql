-- The person an address belongs to; the address itself when none is known.
create or replace function person_of(p_account uuid, p_mode text, p_address text) returns text language sql stable as $$
  select coalesce((select p.person from people p where p.account_id = p_account and p.mode = p_mode and p.address = p_address), p_address)
$$;
