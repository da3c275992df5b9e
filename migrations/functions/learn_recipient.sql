-- Trigger: a message's status that carries the user id joins it with the recipient's phone.
create or replace function learn_recipient() returns trigger
language plpgsql as $$
begin
  perform join_people(new.account_id, new.mode, array[new.recipient, new.facts ->> 'user_id'], '{}');
  return null;
end
$$;
