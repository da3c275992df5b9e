-- The wallet as its subscriber sees it.

-- A statement needs an order of movements that never changes once it was read. The wallet's row is locked from before a number is
-- drawn until the commit, so within a wallet the numbers (`position`) are in the order of the commits: whatever
-- commits later stands behind. One row a transaction and wallet, not one a movement, with the balance that it left:
-- the balance after each movement follows from it and the amounts of the few movements beside it.
create sequence wallet_numbers;

create table wallet_commits (
  account_id uuid not null,
  mode text not null,
  position bigint not null,     -- drawn under the wallet's lock
  batch bigint not null,        -- drawn before it: what the transaction's transfers are stamped with
  balance_kobo bigint not null, -- after this commit
  held_kobo bigint not null,
  decided uuid[] not null default '{}', -- transfers whose hold it decided; their lines come first
  opened uuid[] not null default '{}',  -- transfers that it made
  at timestamptz not null default clock_timestamp(),
  primary key (account_id, mode, position)
);
-- A batch of singles has up to 256 ids, 4 kB: kept in the row, as nothing of an id can be compressed.
alter table wallet_commits alter column decided set storage external, alter column opened set storage external,
  set (toast_tuple_target = 8160);
create index wallet_commits_by_time on wallet_commits (account_id, mode, at);
create index wallet_commits_by_batch on wallet_commits (batch, account_id, mode);

-- From a transfer to its lines.
alter table transfers add column opened_in bigint, add column decided_in bigint;

-- What was there before: a commit for each movement, by the time it was recorded at.
do $$
declare
  moved record;
  this_batch bigint;
begin
  for moved in
    with movements as (
      select account_id, mode, id, created_at as at, false as decides,
             case when kind = 'hold' then 0 when debit_kind = 'wallet' then -amount_kobo else amount_kobo end as balance,
             case when kind = 'hold' then amount_kobo else 0 end as held
        from transfers where 'wallet' in (debit_kind, credit_kind)
      union all
      select account_id, mode, id, decided_at, true, -coalesce(posted_kobo, 0), -amount_kobo
        from transfers where kind = 'hold' and state <> 'pending')
    select account_id, mode, id, at, decides,
           sum(balance) over so_far as balance, sum(held) over so_far as held
      from movements
    window so_far as (partition by account_id, mode order by at, decides, id rows unbounded preceding)
     order by account_id, mode, at, decides, id
  loop
    this_batch := nextval('wallet_numbers');
    insert into wallet_commits (account_id, mode, position, batch, balance_kobo, held_kobo, decided, opened, at)
    values (moved.account_id, moved.mode, nextval('wallet_numbers'), this_batch, moved.balance, moved.held,
            case when moved.decides then array[moved.id] else '{}' end,
            case when moved.decides then '{}' else array[moved.id] end, moved.at);
    update transfers set opened_in = case when moved.decides then opened_in else this_batch end,
                         decided_in = case when moved.decides then this_batch else decided_in end
     where account_id = moved.account_id and id = moved.id;
  end loop;
end
$$;

-- What a key with a spend cap has spent on a day in Lagos: the prices of what was accepted with it.
create table key_spend (
  key_id uuid not null,
  day date not null,
  spent_kobo bigint not null default 0,
  primary key (key_id, day)
) with (fillfactor = 50);

-- Wallets that `wallet.low` was told of; the row goes when there is enough again, and that arms it anew.
create table low_wallets (
  account_id uuid not null references accounts,
  mode text not null,
  since timestamptz not null default clock_timestamp(),
  primary key (account_id, mode)
);

create index accounts_with_threshold on accounts (id) where low_balance_kobo is not null;

-- Publishes `wallet.low` once for each wallet that has come below its account's threshold. A wallet that never had money is
-- not low but unused. Returns how many were told.
create function tell_low_wallets(p_at timestamptz) returns int
language plpgsql as $$
declare
  events_made int;
begin
  -- One node at a time, or two would give one number to two events of an account.
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
  numbered as (
    select low.*, row_number() over (partition by low.account_id order by low.mode)
                  + (select coalesce(max(e.version), 0) from events e where e.account_id = low.account_id and e.order_id = low.account_id) as number
      from low join told using (account_id, mode))
  insert into events (account_id, order_id, version, mode, id, type, sequence, status, at, detail)
  select n.account_id, n.account_id, n.number, n.mode, uuidv7_now(), 'wallet.low', n.number, 'low', p_at,
         jsonb_build_object('available', (n.available / 100.0)::numeric(20, 2)::text, 'threshold', (n.threshold / 100.0)::numeric(20, 2)::text)
    from numbered n;
  get diagnostics events_made = row_count;
  return events_made;
end
$$;

-- The operator's own names of manual credits and debits: the same name moves money once.
create table manual_transfers (
  account_id uuid not null references accounts,
  mode text not null,
  name text primary key check (length(name) between 1 and 100), -- one payment at the bank is one credit here, whoever gets it
  transfer_id uuid not null
);

-- Moves money at once, outside any order: top-ups, fees, manual credits and debits. A repeat with the same id does nothing.
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

-- accept_orders and change_orders keep the statement and the caps from 0013 on.
