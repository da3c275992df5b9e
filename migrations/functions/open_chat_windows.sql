-- The window belongs to the person: opens it for each of the person's present addresses.
create or replace function open_chat_windows(p_account uuid, p_mode text, p_number text, p_addresses text[], p_at timestamptz) returns void
language plpgsql as $$
begin
  perform open_chat_window(p_mode, p_number, a.address, p_at) from (
    select unnest(p_addresses) as address
    union
    select o.address from people p join people o on o.account_id = p.account_id and o.mode = p.mode and o.person = p.person
     where p.account_id = p_account and p.mode = p_mode and p.address = any (p_addresses) and not o.former
     order by 1) a;
end
$$;
