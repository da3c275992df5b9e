-- Money that subscribers put into their wallets. The transfer that credits a top-up has the top-up's id, so it happens once.
create table topups (
  account_id uuid not null references accounts,
  id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  method text not null check (method in ('link', 'bank_transfer')),
  state text not null check (state in ('pending', 'successful', 'expired')), -- expired may still be paid: late money is money
  requested_kobo bigint check (requested_kobo > 0), -- null: a bank transfer that nobody had announced
  paid_kobo bigint check (paid_kobo > 0),           -- what came in and was credited
  instructions jsonb not null,                      -- how to pay: {url}, or {bank, accountNumber, accountName}
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (account_id, id),
  check ((state = 'successful') = (paid_kobo is not null)),
  check ((state = 'successful') = (completed_at is not null)),
  check ((state = 'pending') <= (expires_at is not null))
);
create index topups_announced on topups (account_id, mode, created_at) where state = 'pending' and method = 'bank_transfer';
create index topups_expiring on topups (expires_at) where state = 'pending' and method = 'bank_transfer';

-- The account number that the bank transfers of a customer account go to. Opened once and kept.
create table funding_accounts (
  provider text not null,
  account_id uuid not null references accounts,
  customer text not null, -- what the provider calls the customer account
  account_number text not null,
  bank text not null,
  account_name text not null,
  created_at timestamptz not null,
  primary key (provider, account_id),
  unique (provider, account_number)
);
create index funding_accounts_by_customer on funding_accounts (provider, customer);

-- What a provider is asked about: payment pages that were given out, and payments that it reported. Each is credited once.
create table funding_payments (
  provider text not null,
  reference text not null,
  state text not null check (state in ('awaited', 'reported', 'credited', 'given_up', 'kept', 'closed')), -- kept: for the operator, who closes it
  account_id uuid,
  topup_id uuid, -- null: not known, or not yet
  paid_kobo bigint,
  detail text,   -- what the provider said last, or why it is kept
  tries int not null default 0,
  due_at timestamptz,
  reported_at timestamptz,
  created_at timestamptz not null,
  primary key (provider, reference),
  foreign key (account_id, topup_id) references topups,
  check ((due_at is not null) = (state in ('awaited', 'reported'))),
  check ((state = 'credited') <= (topup_id is not null and paid_kobo is not null))
);
create index funding_payments_due on funding_payments (due_at) where due_at is not null;
create index funding_payments_kept on funding_payments (created_at) where state = 'kept';
create unique index funding_payments_by_topup on funding_payments (account_id, topup_id);
