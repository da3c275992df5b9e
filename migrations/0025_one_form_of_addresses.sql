-- The form in which addresses are compared: the same rule as `addressKey` in src/kernel/address.ts, which says why. The first list of
-- characters is its SPACE, the second its dashes. Only in the collation "C" is lower case that of A to Z alone in every database.
create function address_key(address text) returns text language sql immutable parallel safe as $$
  select case
    when plain !~ '^\+?[0-9]+$' then lower(btrim(address, space) collate "C")
    when plain ~ '^\+?((00|009)?234)?0?[789][01][0-9]{8}$' then '234' || right(plain, 10)
    when length(plain) > 15 and plain ~ '^\+?[0-9]+234[789][01][0-9]{8}$' then '234' || right(plain, 10)
    when digits ~ '^0[1-9][0-9]{6,9}$' then '234' || substr(digits, 2)
    when digits ~ '^00[1-9][0-9]{6,14}$' then substr(digits, 3)
    else digits end
  from (select p.space, p.plain, ltrim(p.plain, '+') as digits
          from (select s.space, translate(address, s.space || E'\u2010\u2011\u2012\u2013\u2014\u2015().-', '') as plain
                  from (select E'\t\n\x0b\f\r \u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u202f\u205f\u2060\u2061\u2062\u2063\u2064\u2065\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u3000\ufeff' as space) s) p) a
$$;

-- As in 0006, but for `parked_recipient`, which is kept in its one form: the sweep compares it with recipients of orders.
create or replace function park_reports(p_route text[], p_reference text[], p_recipient text[], p_report jsonb[])
returns table (met_route text, met_reference text)
language sql as $$
  with met as (
    insert into provider_references (route, reference, parked, parked_recipient)
    select r.route, r.reference, bounded_json(jsonb_agg(r.report)), min(address_key(r.recipient))
      from unnest(p_route, p_reference, p_recipient, p_report) r(route, reference, recipient, report)
     group by 1, 2 order by 1, 2
    on conflict (route, reference) do update
      set parked = case when not believed(provider_references) then excluded.parked
                        when provider_references.order_id is null
                        then bounded_json(coalesce(provider_references.parked, '[]') || excluded.parked)
                        else provider_references.parked end,
          parked_recipient = case when believed(provider_references)
                        then coalesce(provider_references.parked_recipient, excluded.parked_recipient)
                        else excluded.parked_recipient end,
          order_id = case when believed(provider_references) then provider_references.order_id end,
          earlier = case when believed(provider_references) then provider_references.earlier end,
          apart = case when believed(provider_references) then provider_references.apart end,
          created_at = case when believed(provider_references) then provider_references.created_at else now() end
    returning route, reference, order_id)
  select met.route, met.reference from met where met.order_id is not null
$$;

-- What is parked now in another form, and can still be believed.
update provider_references set parked_recipient = address_key(parked_recipient)
 where parked is not null and order_id is null and parked_recipient <> address_key(parked_recipient)
   and created_at > now() - interval '7 days';

-- Numbers that were assigned in another form (`+2340803…`). Where the account of the one form is another, it keeps it.
insert into inbound_numbers (number, mode, account_id)
select address_key(number), mode, account_id from inbound_numbers where number <> address_key(number)
on conflict do nothing;
delete from inbound_numbers where number <> address_key(number);
