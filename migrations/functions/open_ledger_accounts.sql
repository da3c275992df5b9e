-- Creates the ledger accounts that a customer account needs; safe to repeat.
create or replace function open_ledger_accounts(p_account uuid, p_mode text, p_kinds text[]) returns void
language sql as $$
  insert into ledger_accounts (account_id, mode, kind)
  select p_account, p_mode, kind from unnest(p_kinds) kind order by kind
  on conflict do nothing
$$;
