-- The month's fee of a subscription, settled once: when it begins, when the plan changes to a dearer one, and when a new
-- month (in Lagos, e.g. '2026-11') begins. A row stays when the subscription is cancelled: what was paid counts if it is
-- taken up again within the month.
create table subscription_fees (
  account_id uuid not null references accounts,
  service text not null,
  period text not null,
  fee_kobo bigint not null check (fee_kobo >= 0), -- a whole month's fee of the dearest plan that is paid for the rest of it
  primary key (account_id, service, period)
);

-- Accounts that pay no fees, whatever their plan: the operator's own.
alter table accounts add column fees_waived boolean not null default false;
update accounts set fees_waived = true where id::text = (select value from settings where name = 'local_account');

alter table transfers drop constraint transfers_kind_check;
alter table transfers add constraint transfers_kind_check
  check (kind in ('hold', 'credit', 'debit', 'refund', 'loss', 'loss_undone', 'fee'));
