-- Moves money at once, outside any order: top-ups, fees, manual credits and debits. A repeat with the same id does nothing and
-- returns false.
create or replace function post_transfer(p_account uuid, p_id uuid, p_mode text, p_kind text, p_debit text, p_credit text,
  p_amount bigint, p_reason text, p_at timestamptz) returns boolean
language plpgsql as $$
declare
  this_batch bigint := nextval('wallet_numbers');
begin
  perform lock_wallets(array[p_account], array[p_mode]);
  insert into transfers (account_id, id, mode, kind, debit_kind, credit_kind, amount_kobo, state, posted_kobo, reason, created_at,
                         decided_at, opened_in)
  values (p_account, p_id, p_mode, p_kind, p_debit, p_credit, p_amount, 'posted', p_amount, p_reason, p_at, p_at, this_batch)
  on conflict do nothing;
  if not found then return false; end if;
  update ledger_accounts set debits_posted = debits_posted + p_amount
   where account_id = p_account and mode = p_mode and kind = p_debit;
  update ledger_accounts set credits_posted = credits_posted + p_amount
   where account_id = p_account and mode = p_mode and kind = p_credit;
  if 'wallet' in (p_debit, p_credit) then
    insert into wallet_commits (account_id, mode, position, batch, balance_kobo, held_kobo, opened)
    select account_id, mode, nextval('wallet_numbers'), this_batch, credits_posted - debits_posted, debits_pending, array[p_id]
      from ledger_accounts where account_id = p_account and mode = p_mode and kind = 'wallet';
  end if;
  return true;
end
$$;
