-- Who wants no promotional messages is a person, not a phone: people change phones, and hide them behind a vendor's id of a user.

-- All addresses of a person whom an account knows by more than one. An address without a row is a person of its own.
create table people (
  account_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  address text not null, -- digits of a phone, or the vendor's id of a user
  person text not null,  -- what the person is called in `suppressions`: one of the addresses, the present phone where it is known
  former boolean not null default false, -- a phone or id that the person has left; a phone is the next one's whom it is told of
  told_at timestamptz not null default now(),
  primary key (account_id, mode, address)
);
create index people_by_person on people (account_id, mode, person);

create function person_of(p_account uuid, p_mode text, p_address text) returns text language sql stable as $$
  select coalesce((select p.person from people p where p.account_id = p_account and p.mode = p_mode and p.address = p_address), p_address)
$$;

-- Opt-outs by person and channel. `all` is what every row has meant so far. `phone` stays for nodes of the version before, which know
-- nothing else, and goes with the next version: it is the person's where the row counts for all channels.
alter table suppressions add column person text;
alter table suppressions add column channel text not null default 'all' check (channel in ('all', 'sms', 'chat'));
update suppressions set person = phone;
alter table suppressions alter column person set not null;
alter table suppressions drop constraint suppressions_pkey;
alter table suppressions add primary key (account_id, mode, person, channel, source);
alter table suppressions alter column phone drop not null;
create unique index suppressions_by_phone on suppressions (account_id, mode, phone, source);

-- For nodes of the version before, whose rows name a phone alone.
create function name_suppressed_person() returns trigger language plpgsql as $$
begin
  new.person := person_of(new.account_id, new.mode, new.phone);
  if new.person <> new.phone then new.phone := null; end if;
  return new;
end
$$;
create trigger suppressions_person before insert on suppressions for each row when (new.person is null)
  execute function name_suppressed_person();

-- What people ask for and whom they are is told seldom, and on both sides of one question: one after the other for each account.
create function lock_people(p_account uuid, p_mode text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('afara.people ' || p_account || ' ' || p_mode, 0))
$$;

-- When people last asked to be written to again: a STOP that was said before, and comes late or twice, is over. `all`: what takes back a
-- STOP of all channels.
create table opt_ins (
  account_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  person text not null,
  channel text not null check (channel in ('all', 'sms', 'chat')),
  at timestamptz not null,
  primary key (account_id, mode, person, channel)
);

create function note_opt_in(p_account uuid, p_mode text, p_person text, p_channels text[], p_at timestamptz) returns void
language sql as $$
  insert into opt_ins as o (account_id, mode, person, channel, at)
  select p_account, p_mode, p_person, c, p_at from unnest(p_channels) c
  on conflict (account_id, mode, person, channel) do update set at = greatest(o.at, excluded.at)
$$;

-- What was said under one name is said under the other from now on. A network's Do-Not-Disturb is of a line, and stays with it.
create function rename_person(p_account uuid, p_mode text, p_old text, p_new text, p_has_phone boolean) returns void
language plpgsql as $$
begin
  -- Of one thing that was said under both, the last time counts.
  update suppressions s set created_at = greatest(s.created_at, o.created_at) from suppressions o
   where s.account_id = p_account and s.mode = p_mode and s.person = p_new and s.source <> 'network'
     and o.account_id = p_account and o.mode = p_mode and o.person = p_old and o.channel = s.channel and o.source = s.source;
  delete from suppressions s
   where s.account_id = p_account and s.mode = p_mode and s.person = p_old and s.source <> 'network'
     and exists (select from suppressions o
                  where o.account_id = p_account and o.mode = p_mode and o.person = p_new and o.channel = s.channel and o.source = s.source);
  update suppressions s set person = p_new, phone = case when s.channel = 'all' and p_new ~ '^[0-9]+$' then p_new end
   where s.account_id = p_account and s.mode = p_mode and s.person = p_old and s.source <> 'network';
  perform note_opt_in(p_account, p_mode, p_new, array[o.channel], o.at) from opt_ins o
   where o.account_id = p_account and o.mode = p_mode and o.person = p_old;
  delete from opt_ins o where o.account_id = p_account and o.mode = p_mode and o.person = p_old;
  update people p set person = p_new, former = p.former or (p_has_phone and p.address ~ '^[0-9]+$')
   where p.account_id = p_account and p.mode = p_mode and p.person = p_old;
end
$$;

-- The id by which a person is known, who has none of these: somebody else. Null: no such id.
create function other_id(p_account uuid, p_mode text, p_person text, p_ids text[], p_even_former boolean) returns text
language sql stable as $$
  select p.address from people p
   where p.account_id = p_account and p.mode = p_mode and p.person = p_person and p.address !~ '^[0-9]+$' and (p_even_former or not p.former)
     and not exists (select from people o
                      where o.account_id = p_account and o.mode = p_mode and o.person = p_person and o.address = any (p_ids))
   order by p.former, p.told_at desc limit 1
$$;

-- A vendor says that these addresses are one person's, and which were until now. Ids of users are one person's because the vendor says so;
-- a phone goes from hand to hand, and is taken from a person who is known by another id.
create function join_people(p_account uuid, p_mode text, p_now text[], p_formerly text[]) returns void
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
  -- What is known already is told again with every message.
  if cardinality(p_formerly) = 0 and (
    select count(*) = cardinality(p_now) and count(distinct p.person) = 1 and not bool_or(p.former) from people p
     where p.account_id = p_account and p.mode = p_mode and p.address = any (p_now)) then return;
  end if;
  perform lock_people(p_account, p_mode);
  -- A phone that was left, and that somebody else has had since, says nothing of who left it. Whoever leaves is known by a former id, or
  -- by a present one that has been told before.
  formerly := array(
    select a from unnest(p_formerly) with ordinality f(a, n)
     where a !~ '^[0-9]+$' or not (
       exists (select from unnest(ids) i where i = any (p_formerly) or exists (
                 select from people p where p.account_id = p_account and p.mode = p_mode and p.address = i))
       and person_of(p_account, p_mode, a) <> all (array(select person_of(p_account, p_mode, i) from unnest(ids) i))
       and other_id(p_account, p_mode, person_of(p_account, p_mode, a), ids, true) is not null)
     order by n);
  left_phone := exists (select from unnest(p_formerly) a where a ~ '^[0-9]+$');
  -- A phone that somebody has left is another's now.
  delete from people p
   where p.account_id = p_account and p.mode = p_mode and p.address = any (p_now) and p.former and p.address ~ '^[0-9]+$';
  known := person_of(p_account, p_mode, phone);
  other := other_id(p_account, p_mode, known, ids, false);
  if other is not null and not exists (
    select from unnest(formerly) a where a ~ '^[0-9]+$' and person_of(p_account, p_mode, a) = known) then
    delete from people p where p.account_id = p_account and p.mode = p_mode and p.address = phone;
    if known = phone then perform rename_person(p_account, p_mode, known, other, false); end if;
  end if;
  -- Called after the present phone; never after one that was left, which will be another's.
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
  -- With the phone the id changes, and is not always told at once.
  if left_phone and phone is not null then
    update people p set former = true
     where p.account_id = p_account and p.mode = p_mode and p.person = name and p.address <> all (p_now) and not p.former;
  end if;
end
$$;

-- What a person has asked for: `stop` for a channel or `all`; `start` takes back what stopped the channel that it came by; `resume` takes
-- back what stopped a channel and leaves the others stopped. What was said last counts, in whichever order it comes; of what was said at
-- one time, what comes last.
create function heed_person(p_account uuid, p_mode text, p_address text, p_act text, p_channel text, p_reason text, p_at timestamptz) returns void
language plpgsql as $$
declare
  names text[];
  name text;
  channels text[];
begin
  perform lock_people(p_account, p_mode);
  name := person_of(p_account, p_mode, p_address);
  names := array[p_address, name];
  if p_act = 'stop' then
    channels := array(
      select o.channel from opt_ins o
       where o.account_id = p_account and o.mode = p_mode and o.person = any (names) and o.at > p_at);
    if p_channel = any (channels) then return; end if;
    insert into suppressions as s (account_id, mode, person, channel, source, id, reason, created_at, phone)
    select p_account, p_mode, name, c, 'recipient', uuidv7_now(), p_reason, p_at, case when c = 'all' and name ~ '^[0-9]+$' then name end
      -- Of a STOP of all channels, those that were not resumed since.
      from unnest(case when p_channel = 'all' and cardinality(channels) > 0 then array['sms', 'chat'] else array[p_channel] end) c
     where c <> all (channels)
    on conflict (account_id, mode, person, channel, source) do update
      set created_at = excluded.created_at, reason = excluded.reason where s.created_at < excluded.created_at;
    return;
  end if;
  perform note_opt_in(p_account, p_mode, name, case p_act when 'start' then array['all', p_channel] else array[p_channel] end, p_at);
  if p_act = 'resume' then
    insert into suppressions as n (account_id, mode, person, channel, source, id, reason, created_at)
    select s.account_id, s.mode, s.person, o.channel, s.source, uuidv7_now(), s.reason, s.created_at
      from suppressions s cross join (values ('sms'), ('chat')) o(channel)
     where s.account_id = p_account and s.mode = p_mode and s.person = any (names) and s.source = 'recipient' and s.channel = 'all'
       and s.created_at <= p_at and o.channel <> p_channel
    on conflict (account_id, mode, person, channel, source) do update set created_at = greatest(n.created_at, excluded.created_at);
  end if;
  delete from suppressions s
   where s.account_id = p_account and s.mode = p_mode and s.person = any (names) and s.source = 'recipient'
     and s.channel in ('all', p_channel) and s.created_at <= p_at;
end
$$;

-- As in 0010, for the person that the line itself is.
create or replace function suppress_dnd() returns trigger
language plpgsql as $$
begin
  insert into suppressions (account_id, mode, phone, person, source, id, reason, created_at, expires_at)
  values (new.account_id, new.mode, new.recipient, new.recipient, 'network', uuidv7_now(), 'dnd', new.updated_at, new.updated_at + interval '30 days')
  on conflict (account_id, mode, phone, source) do update
    set created_at = excluded.created_at, expires_at = excluded.expires_at;
  return null;
end
$$;

-- The vendor of chat knows of an opt-out that we do not (Meta's 131050): in the transaction that records its answer, be the message ended
-- by it or gone on as its fallback. An SMS in the place of a chat message is refused by its network, and says nothing of chat.
create function heed_chat_refusal() returns trigger
language plpgsql as $$
begin
  perform heed_person(new.account_id, new.mode, new.recipient, 'stop', 'chat', 'preference', new.updated_at);
  return null;
end
$$;
-- `opted_out`: in a status, whatever has become of the message.
create trigger orders_chat_opted_out after update on orders for each row
  when (new.facts is not null and new.service = 'chat' and (
        (new.facts ? 'opted_out' and old.facts ? 'opted_out' is not true)
        or (new.facts #>> '{failure,code}' = 'dnd'
            and old.facts #>> '{failure,code}' is distinct from 'dnd'
            and not (new.payload #>> '{fallback,via}' = 'sms'
                     and coalesce(old.facts ? 'first_way' or (new.payload #>> '{fallback,at_once}')::boolean, false)))))
  execute function heed_chat_refusal();

-- A status of a message names the person whom it went to by both addresses.
create function learn_recipient() returns trigger
language plpgsql as $$
begin
  perform join_people(new.account_id, new.mode, array[new.recipient, new.facts ->> 'user_id'], '{}');
  return null;
end
$$;
create trigger orders_chat_person after update on orders for each row
  when (new.facts is not null and new.service = 'chat' and new.facts ->> 'user_id' <> new.recipient
        and old.facts ->> 'user_id' is distinct from new.facts ->> 'user_id')
  execute function learn_recipient();

-- The window is the person's: it is open by each address that the person has now.
create function open_chat_windows(p_account uuid, p_mode text, p_number text, p_addresses text[], p_at timestamptz) returns void
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
