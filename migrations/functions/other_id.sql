-- A user id of this person, when none of p_ids belongs to the person: the phone has changed hands. Null: no such id.
create or replace function other_id(p_account uuid, p_mode text, p_person text, p_ids text[], p_even_former boolean) returns text
language sql stable as $$
  select p.address from people p
   where p.account_id = p_account and p.mode = p_mode and p.person = p_person and p.address !~ '^[0-9]+$' and (p_even_former or not p.former)
     and not exists (select from people o
                      where o.account_id = p_account and o.mode = p_mode and o.person = p_person and o.address = any (p_ids))
   order by p.former, p.told_at desc limit 1
$$;
