-- A vendor reports that these addresses belong to one person, and which did until now (p_formerly). User ids belong together
-- because the vendor says so; a phone changes hands, and is taken away from a person who is known by another id.
create or replace function join_people(p_account uuid, p_mode text, p_now text[], p_formerly text[]) returns void
language plpgsql as $$
declare
  ids constant text[] := array(select a from unnest(p_formerly || p_now) a where a !~ '^[0-9]+$');
  phone constant text := (select a from unnest(p_now) a where a ~ '^[0-9]+$' limit 1);
  formerly text[];
  left_phone boolean;
  other text;
  name text;
  known text;
  place text;
begin
  -- Already known: every message repeats it.
  if cardinality(p_formerly) = 0 and (
    select count(*) = cardinality(p_now) and count(distinct p.person) = 1 and not bool_or(p.former) from people p
     where p.account_id = p_account and p.mode = p_mode and p.address = any (p_now)) then return;
  end if;
  perform lock_people(p_account, p_mode);
  -- A former phone that somebody else has had since does not identify this person, if a former id, or a present id that is
  -- already known, does.
  formerly := array(
    select a from unnest(p_formerly) with ordinality f(a, n)
     where a !~ '^[0-9]+$' or not (
       exists (select from unnest(ids) i where i = any (p_formerly) or exists (
                 select from people p where p.account_id = p_account and p.mode = p_mode and p.address = i))
       and person_of(p_account, p_mode, a) <> all (array(select person_of(p_account, p_mode, i) from unnest(ids) i))
       and other_id(p_account, p_mode, person_of(p_account, p_mode, a), ids, true) is not null)
     order by n);
  left_phone := exists (select from unnest(p_formerly) a where a ~ '^[0-9]+$');
  -- A phone given up by one person now belongs to another.
  delete from people p
   where p.account_id = p_account and p.mode = p_mode and p.address = any (p_now) and p.former and p.address ~ '^[0-9]+$';
  known := person_of(p_account, p_mode, phone);
  other := other_id(p_account, p_mode, known, ids, false);
  if other is not null and not exists (
    select from unnest(formerly) a where a ~ '^[0-9]+$' and person_of(p_account, p_mode, a) = known) then
    delete from people p where p.account_id = p_account and p.mode = p_mode and p.address = phone;
    if known = phone then perform rename_person(p_account, p_mode, known, other, false); end if;
  end if;
  -- The person is named by the present phone; never by a former one, which will be somebody else's.
  name := person_of(p_account, p_mode, coalesce(
    phone,
    case when not left_phone then coalesce(
      (select i from unnest(p_now || formerly) with ordinality a(i, n) where person_of(p_account, p_mode, i) ~ '^[0-9]+$' order by n limit 1),
      formerly[1]) end,
    p_now[1]));
  foreach place in array formerly || p_now loop
    known := person_of(p_account, p_mode, place);
    if known <> name then perform rename_person(p_account, p_mode, known, name, name ~ '^[0-9]+$'); end if;
    insert into people as p (account_id, mode, address, person, former)
    values (p_account, p_mode, place, name, place = any (formerly))
    on conflict (account_id, mode, address) do update
      set person = excluded.person, former = excluded.former, told_at = excluded.told_at;
  end loop;
  -- The id changes together with the phone, and is not always reported at once.
  if left_phone and phone is not null then
    update people p set former = true
     where p.account_id = p_account and p.mode = p_mode and p.person = name and p.address <> all (p_now) and not p.former;
  end if;
end
$$;
