-- Trigger: a vendor's refusal closes the chat window in the transaction that records it, unless the customer has written since.
create or replace function close_chat_window() returns trigger
language plpgsql as $$
begin
  update chat_windows w set refused_at = new.created_at
   where w.mode = new.mode and w.number = new.payload ->> 'from' and w.recipient = new.recipient
     and w.last_inbound_at <= new.created_at;
  return null;
end
$$;
