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

-- What was said under one name is said under the other from now on. A network's Do-Not-Disturb is of a line, and stays with it.
create function rename_person(p_account uuid, p_mode text, p_old text, p_new text, p_has_phone boolean) returns void
language plpgsql as $$
begin
  delete from suppressions s
   where s.account_id = p_account and s.mode = p_mode and s.person = p_old and s.source <> 'network'
     and exists (select from suppressions o
                  where o.account_id = p_account and o.mode = p_mode and o.person = p_new and o.channel = s.channel and o.source = s.source);
  update suppressions s set person = p_new, phone = case when s.channel = 'all' and p_new ~ '^[0-9]+$' then p_new end
   where s.account_id = p_account and s.mode = p_mode and s.person = p_old and s.source <> 'network';
  update people p set person = p_new, former = p.former or (p_has_phone and p.address ~ '^[0-9]+$')
   where p.account_id = p_account and p.mode = p_mode and p.person = p_old;
end
$$;

-- A vendor says that these addresses are one person's, and which were until now.
create function join_people(p_account uuid, p_mode text, p_now text[], p_formerly text[]) returns void
language plpgsql as $$
declare
  phone text;
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
  -- A phone that somebody has left is another's now.
  delete from people p
   where p.account_id = p_account and p.mode = p_mode and p.address = any (p_now) and p.former and p.address ~ '^[0-9]+$';
  -- Called after the present phone; never after one that was left, which will be another's.
  select a into phone from unnest(p_now) a where a ~ '^[0-9]+$' limit 1;
  name := person_of(p_account, p_mode, coalesce(
    phone,
    case when not exists (select from unnest(p_formerly) a where a ~ '^[0-9]+$') then p_formerly[1] end,
    p_now[1]));
  foreach place in array p_formerly || p_now loop
    known := person_of(p_account, p_mode, place);
    if known <> name then perform rename_person(p_account, p_mode, known, name, phone is not null); end if;
    insert into people as p (account_id, mode, address, person, former)
    values (p_account, p_mode, place, name, place = any (p_formerly))
    on conflict (account_id, mode, address) do update
      set person = excluded.person, former = excluded.former, told_at = excluded.told_at;
  end loop;
end
$$;

-- What a person has asked for: `stop` for a channel or `all`; `start` takes back what stopped the channel that it came by; `resume` takes
-- back what stopped a channel and leaves the others stopped.
create function heed_person(p_account uuid, p_mode text, p_address text, p_act text, p_channel text, p_reason text, p_at timestamptz) returns void
language plpgsql as $$
declare
  names text[];
  name text;
begin
  perform lock_people(p_account, p_mode);
  name := person_of(p_account, p_mode, p_address);
  names := array[p_address, name];
  if p_act = 'stop' then
    insert into suppressions (account_id, mode, person, channel, source, id, reason, created_at, phone)
    values (p_account, p_mode, name, p_channel, 'recipient', uuidv7_now(), p_reason, p_at,
            case when p_channel = 'all' and name ~ '^[0-9]+$' then name end)
    on conflict (account_id, mode, person, channel, source) do nothing;
    return;
  end if;
  if p_act = 'resume' then
    insert into suppressions (account_id, mode, person, channel, source, id, reason, created_at)
    select s.account_id, s.mode, s.person, o.channel, s.source, uuidv7_now(), s.reason, s.created_at
      from suppressions s cross join (values ('sms'), ('chat')) o(channel)
     where s.account_id = p_account and s.mode = p_mode and s.person = any (names) and s.source = 'recipient' and s.channel = 'all'
       and s.created_at <= p_at and o.channel <> p_channel
    on conflict (account_id, mode, person, channel, source) do nothing;
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
create trigger orders_chat_opted_out after update on orders for each row
  when (new.facts is not null and new.service = 'chat' and new.facts #>> '{failure,code}' = 'dnd'
        and old.facts #>> '{failure,code}' is distinct from 'dnd'
        and not (new.payload #>> '{fallback,via}' = 'sms'
                 and coalesce(old.facts ? 'first_way' or (new.payload #>> '{fallback,at_once}')::boolean, false)))
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
