-- Chat: numbers, customer-service windows, templates, what people write, files.

-- Numbers that accounts write from: each belongs to one account, with what is written to it and the windows that opens.
create table chat_numbers (
  number text not null, -- digits of E.164
  mode text not null check (mode in ('live', 'test')),
  provider text not null,
  account_id uuid not null references accounts,
  assigned_at timestamptz not null,
  primary key (number, mode)
);
create index chat_numbers_by_account on chat_numbers (account_id, mode, assigned_at);

-- When a person last wrote to a number, by the vendor's clock: anything may be sent for 24 hours from then on.
create table chat_windows (
  mode text not null,
  number text not null,
  recipient text not null,
  last_inbound_at timestamptz not null,
  refused_at timestamptz, -- the vendor said that the window is closed of a message accepted then; until the person writes again
  primary key (mode, number, recipient)
) with (fillfactor = 80);

create function chat_window_is_open(w chat_windows, p_at timestamptz) returns boolean language sql immutable as $$
  select w.refused_at is null and p_at < w.last_inbound_at + interval '24 hours'
$$;

-- Nothing moves a window back: reports of what was written come in any order. Vendors count whole seconds.
create function open_chat_window(p_mode text, p_number text, p_recipient text, p_at timestamptz) returns void
language sql as $$
  insert into chat_windows as w (mode, number, recipient, last_inbound_at) values (p_mode, p_number, p_recipient, p_at)
  on conflict (mode, number, recipient) do update
    set last_inbound_at = greatest(w.last_inbound_at, excluded.last_inbound_at),
        refused_at = case when excluded.last_inbound_at < date_trunc('second', w.refused_at) then w.refused_at end
$$;

-- What needs an open window is accepted in it or not at all: looked at in the accepting transaction.
create function require_chat_window() returns trigger
language plpgsql as $$
begin
  if not exists (
    select from chat_windows w
     where w.mode = new.mode and w.number = new.payload ->> 'from' and w.recipient = new.recipient
       and chat_window_is_open(w, new.created_at)) then
    raise exception 'the chat window is closed' using errcode = '23514', constraint = 'chat_window_open';
  end if;
  return new;
end
$$;
create trigger orders_chat_window before insert on orders for each row
  when (new.service = 'chat' and (new.payload ->> 'needs_window')::boolean)
  execute function require_chat_window();

-- The vendor knows better: its refusal closes the window in the transaction that records it, unless the person has written since.
create function close_chat_window() returns trigger
language plpgsql as $$
begin
  update chat_windows w set refused_at = new.created_at
   where w.mode = new.mode and w.number = new.payload ->> 'from' and w.recipient = new.recipient
     and w.last_inbound_at <= new.created_at;
  return null;
end
$$;
create trigger orders_chat_window_refused after update on orders for each row
  when (new.facts is not null and new.service = 'chat' and new.facts #>> '{failure,code}' = 'chat_window_closed'
        and old.facts #>> '{failure,code}' is distinct from 'chat_window_closed')
  execute function close_chat_window();

-- What each provider's account has approved, as it was last listed.
create table chat_templates (
  provider text not null,
  name text not null,
  language text not null,
  template jsonb not null, -- kernel/chat-payload.ts, VendorTemplate
  primary key (provider, name, language)
);
create table chat_template_lists (
  provider text primary key,
  fetched_at timestamptz not null
);

-- What people write to the numbers.
create table chat_inbound (
  id uuid primary key,
  provider text not null,
  provider_reference text not null,
  mode text not null,
  account_id uuid, -- null: nobody has the number; kept for the operator
  sender text not null,
  number text not null,
  body text not null,
  facts jsonb not null, -- kernel/chat-payload.ts, InboundChat
  written_at timestamptz not null,
  received_at timestamptz not null,
  unique (provider, provider_reference)
);
create index chat_inbound_listed on chat_inbound (account_id, mode, id);

-- The files among that, fetched by a job: a vendor keeps them for a while only.
create table chat_inbound_media (
  message_id uuid primary key references chat_inbound on delete cascade,
  provider text not null,
  vendor_id text not null,
  state text not null default 'pending' check (state in ('pending', 'kept', 'unavailable', 'forgotten')),
  tries int not null default 0,
  due_at timestamptz, -- pending: when it is fetched (again); kept: when it is forgotten
  mime_type text,
  size int,
  sha256 bytea,
  bytes bytea
);
create index chat_inbound_media_due on chat_inbound_media (due_at) where due_at is not null;

-- Files that accounts store with a vendor, to send them by id.
create table chat_media (
  id uuid primary key,
  account_id uuid not null,
  mode text not null,
  provider text not null,
  vendor_id text not null,
  kind text not null,
  mime_type text not null,
  size int not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index chat_media_expiring on chat_media (expires_at);

-- Linked files that were fetched and stored with a vendor: by their content, whoever sends them.
create table chat_fetched_media (
  provider text not null,
  sha256 bytea not null,
  kind text not null,
  vendor_id text not null,
  expires_at timestamptz not null,
  primary key (provider, sha256, kind)
);
