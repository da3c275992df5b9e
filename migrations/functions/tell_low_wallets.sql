-- Publishes `wallet.low` once for each wallet that has fallen below its account's threshold. A wallet that never had money is
-- unused, not low. Returns the number published.
create or replace function tell_low_wallets(p_at timestamptz) returns int
language plpgsql as $$
declare
  events_made int;
begin
  -- One node at a time: two would give the same number to two events of an account.
  if not pg_try_advisory_xact_lock(hashtext('afara.tell_low_wallets')) then return 0; end if;
  delete from low_wallets w using accounts a, ledger_accounts l
   where a.id = w.account_id and l.account_id = w.account_id and l.mode = w.mode and l.kind = 'wallet'
     and (a.low_balance_kobo is null or l.credits_posted - l.debits_posted - l.debits_pending >= a.low_balance_kobo);
  with low as (
    select l.account_id, l.mode, l.credits_posted - l.debits_posted - l.debits_pending as available, a.low_balance_kobo as threshold
      from accounts a join ledger_accounts l on l.account_id = a.id and l.kind = 'wallet'
     where a.low_balance_kobo is not null and l.credits_posted > 0
       and l.credits_posted - l.debits_posted - l.debits_pending < a.low_balance_kobo),
  told as (
    insert into low_wallets (account_id, mode) select account_id, mode from low on conflict do nothing returning account_id, mode),
  -- Both wallets of an account share the versions; each has a sequence of its own.
  numbered as (
    select low.*, row_number() over (partition by low.account_id order by low.mode)
                  + (select coalesce(max(e.version), 0) from events e where e.account_id = low.account_id and e.order_id = low.account_id) as version,
           1 + (select coalesce(max(e.sequence), 0) from events e
                 where e.account_id = low.account_id and e.order_id = low.account_id and e.mode = low.mode) as sequence
      from low join told using (account_id, mode))
  insert into events (account_id, order_id, version, mode, id, type, sequence, status, at, detail)
  select n.account_id, n.account_id, n.version, n.mode, uuidv7_now(), 'wallet.low', n.sequence, 'low', p_at,
         jsonb_build_object('available', (n.available / 100.0)::numeric(20, 2)::text, 'threshold', (n.threshold / 100.0)::numeric(20, 2)::text)
    from numbered n;
  get diagnostics events_made = row_count;
  return events_made;
end
$$;
