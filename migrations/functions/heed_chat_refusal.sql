-- Trigger: records an opt-out that the chat vendor reports (Meta's error 131050), in the transaction that records its answer,
-- whether the message ends or continues as its fallback. A refusal of an SMS sent as a fallback says nothing about chat.
create or replace function heed_chat_refusal() returns trigger
language plpgsql as $$
begin
  perform heed_person(new.account_id, new.mode, new.recipient, 'stop', 'chat', 'preference', new.updated_at);
  return null;
end
$$;
