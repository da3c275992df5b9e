-- Trigger: a message that needs an open chat window is accepted only while it is open, checked in the accepting transaction.
create or replace function require_chat_window() returns trigger
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
