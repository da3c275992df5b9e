-- Opens a chat window or extends it; never shortens it, as reports arrive in any order. Vendors report whole seconds.
create or replace function open_chat_window(p_mode text, p_number text, p_recipient text, p_at timestamptz) returns void
language sql as $$
  insert into chat_windows as w (mode, number, recipient, last_inbound_at) values (p_mode, p_number, p_recipient, p_at)
  on conflict (mode, number, recipient) do update
    set last_inbound_at = greatest(w.last_inbound_at, excluded.last_inbound_at),
        refused_at = case when excluded.last_inbound_at < date_trunc('second', w.refused_at) then w.refused_at end
$$;
