-- Locks wallet rows in one order for everybody. The wallet's row is the mutex of all ledger accounts of its customer and mode:
-- whoever changes any of them holds it first, so two transactions cannot deadlock.
create or replace function lock_wallets(p_accounts uuid[], p_modes text[]) returns void
language sql as $$
  select 1 from ledger_accounts l
  where l.kind = 'wallet' and (l.account_id, l.mode) in (select distinct a, m from unnest(p_accounts, p_modes) w(a, m))
  order by l.account_id, l.mode
  for update
$$;
