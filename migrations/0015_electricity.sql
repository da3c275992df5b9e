-- Whose meter it was when a vendor was asked. For 15 minutes a purchase need not ask again; for a day it tells whether the
-- meter has another customer by now.
create table meter_verifications (
  account_id uuid not null,
  id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  disco text not null,
  meter_number text not null,
  meter_type text not null check (meter_type in ('prepaid', 'postpaid')),
  customer_name text not null,
  customer_address text,
  tariff text,
  arrears_kobo bigint check (arrears_kobo > 0),
  minimum_kobo bigint not null check (minimum_kobo >= 0),
  maximum_kobo bigint not null check (maximum_kobo >= 0),
  provider text not null, -- who said so
  verified_at timestamptz not null,
  primary key (account_id, id)
);
create index meter_verifications_age on meter_verifications using brin (verified_at);

-- How often a purchase's token was sent again on a day in Lagos.
create table token_resends (
  account_id uuid not null,
  order_id uuid not null,
  day date not null,
  sent int not null check (sent >= 0),
  primary key (account_id, order_id, day)
);
create index token_resends_age on token_resends using brin (day);
