-- Double entry. Each ledger account belongs to one customer account and mode, so every transaction stays with one customer.
-- Kinds: wallet (what the customer has), funding (where top-ups come from), sales:<service>, refunds, loss.
create table ledger_accounts (
  account_id uuid not null,
  mode text not null,
  kind text not null,
  debits_pending bigint not null default 0 check (debits_pending >= 0),
  debits_posted bigint not null default 0 check (debits_posted >= 0),
  credits_pending bigint not null default 0 check (credits_pending >= 0),
  credits_posted bigint not null default 0 check (credits_posted >= 0),
  primary key (account_id, mode, kind),
  constraint wallet_not_overdrawn check (kind <> 'wallet' or credits_posted - debits_posted - debits_pending >= 0)
) with (fillfactor = 50);

-- One positive amount from one account to another. `pending` becomes `posted` or `voided`, each once. The hold of an order
-- has the order's id, so an order cannot have two.
create table transfers (
  account_id uuid not null,
  id uuid not null,
  order_id uuid,
  mode text not null,
  kind text not null check (kind in ('hold', 'credit', 'debit', 'refund', 'loss', 'loss_undone')),
  debit_kind text not null,
  credit_kind text not null check (credit_kind <> debit_kind),
  amount_kobo bigint not null check (amount_kobo > 0),
  state text not null check (state in ('pending', 'posted', 'voided')),
  posted_kobo bigint check (posted_kobo between 0 and amount_kobo),
  reason text,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (account_id, id),
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'posted') = (posted_kobo is not null))
) partition by range (id);
create index transfers_by_order on transfers (account_id, order_id) where kind <> 'hold';
insert into partitioned_tables values ('transfers');

-- The ledger accounts that a customer account needs; safe to repeat.
create function open_ledger_accounts(p_account uuid, p_mode text, p_kinds text[]) returns void
language sql as $$
  insert into ledger_accounts (account_id, mode, kind)
  select p_account, p_mode, kind from unnest(p_kinds) kind order by kind
  on conflict do nothing
$$;

-- Takes the wallets' row locks in one order for everybody. The wallet's row is the mutex of all ledger accounts of its
-- customer and mode: whoever changes any of them holds it first, so two transactions can't wait for each other in a circle.
create function lock_wallets(p_accounts uuid[], p_modes text[]) returns void
language sql as $$
  select 1 from ledger_accounts l
  where l.kind = 'wallet' and (l.account_id, l.mode) in (select distinct a, m from unnest(p_accounts, p_modes) w(a, m))
  order by l.account_id, l.mode
  for update
$$;

-- Moves money at once, outside any order: top-ups, manual credits and debits. A repeat with the same id does nothing.
create function post_transfer(p_account uuid, p_id uuid, p_mode text, p_kind text, p_debit text, p_credit text,
  p_amount bigint, p_reason text, p_at timestamptz) returns boolean
language plpgsql as $$
begin
  perform lock_wallets(array[p_account], array[p_mode]);
  insert into transfers (account_id, id, mode, kind, debit_kind, credit_kind, amount_kobo, state, posted_kobo, reason, created_at, decided_at)
  values (p_account, p_id, p_mode, p_kind, p_debit, p_credit, p_amount, 'posted', p_amount, p_reason, p_at, p_at)
  on conflict do nothing;
  if not found then return false; end if;
  update ledger_accounts set debits_posted = debits_posted + p_amount
   where account_id = p_account and mode = p_mode and kind = p_debit;
  update ledger_accounts set credits_posted = credits_posted + p_amount
   where account_id = p_account and mode = p_mode and kind = p_credit;
  return true;
end
$$;
