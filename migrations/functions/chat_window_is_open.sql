-- Whether a chat window is open at a time: 24 hours from the customer's last message, unless the vendor has refused it since.
create or replace function chat_window_is_open(w chat_windows, p_at timestamptz) returns boolean language sql immutable as $$
  select w.refused_at is null and p_at < w.last_inbound_at + interval '24 hours'
$$;
