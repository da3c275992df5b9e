-- How far the purge of personal data has come: orders of the account up to this id were looked at for this kind.
create table purge_progress (
  account_id uuid not null,
  kind text not null,
  up_to uuid not null,
  primary key (account_id, kind)
);

-- Orders that had not ended, or whose case was open, when the purge came by, and those of an erasure that wait for their end.
create table purges_put_off (
  kind text not null,
  account_id uuid not null,
  order_id uuid not null,
  due_at timestamptz not null,
  primary key (kind, account_id, order_id)
);
create index purges_put_off_due on purges_put_off (due_at);

-- Evidence goes with the personal data of its order.
create index cases_of_order on cases (order_id);

-- What people wrote is deleted by age. Rows are appended in the order of their time.
create index inbound_messages_age on inbound_messages using brin (received_at);
create index chat_inbound_age on chat_inbound using brin (received_at);
