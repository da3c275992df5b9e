-- What people write by SMS is listed for its account, newest first, whole or of one sender. What nobody owns is in neither index.
create index inbound_messages_listed on inbound_messages (account_id, mode, received_at, id) where account_id is not null;
create index inbound_messages_by_sender on inbound_messages (account_id, mode, sender, received_at, id) where account_id is not null;

-- What it was taken for when it came; null: ordinary, or recorded before this column was there.
alter table inbound_messages add column understood_as text check (understood_as in ('stop', 'start'));
