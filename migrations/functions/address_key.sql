-- The form in which addresses are compared: the same rule as `addressKey` in src/kernel/address.ts, which gives the reasons. The
-- first list of characters is its SPACE, the second its dashes. Only collation "C" lowers exactly A to Z in every database.
create or replace function address_key(address text) returns text language sql immutable parallel safe as $$
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
