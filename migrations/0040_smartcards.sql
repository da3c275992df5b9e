-- Whose smartcard it was when a vendor was asked, and what a renewal cost. For 15 minutes a change of bouquet need not ask again; for
-- a day it tells whether the card has another customer or another renewal amount by now.
create table smartcard_verifications (
  account_id uuid not null,
  id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  tv_provider text not null,
  smartcard_number text not null,
  customer_name text not null,
  current_plan text, -- the TV provider's name of the card's bouquet
  renewal_kobo bigint check (renewal_kobo > 0), -- null: there is nothing to renew
  due_date text check (due_date ~ '^\d{4}-\d{2}-\d{2}$'), -- a day of the TV provider's, without a time zone
  provider text not null, -- who said so
  verified_at timestamptz not null,
  primary key (account_id, id)
);
create index smartcard_verifications_age on smartcard_verifications using brin (verified_at);
