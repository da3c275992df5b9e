-- Purchases (airtime, data, electricity): orders whose vendor is asked until it knows.

-- Our reference for the present attempt, in the form that its vendor demands. Made once, committed before the call.
alter table orders add column attempt_reference text;
-- A vendor hinted at something new while a node was at the order: what that node hears may be older, so it is due again after.
alter table orders add column hinted boolean not null default false;

-- Every attempt that had a reference of ours: callbacks find their order by it, and reconciliation looks here for what we have
-- asked a vendor to do.
create table attempts (
  route text not null,
  reference text not null,
  account_id uuid not null,
  order_id uuid not null,
  attempt int not null,
  begun_at timestamptz not null,
  primary key (route, reference)
);
create index attempts_by_time on attempts (route, begun_at);
create index attempts_by_order on attempts (account_id, order_id);

-- The newest purchase of a kind, recipient and amount of each account: a second one within a minute is likely a mistake.
create table twins (
  account_id uuid not null,
  mode text not null,
  twin text not null,
  order_id uuid not null,
  at timestamptz not null,
  allowed boolean not null, -- the subscriber said that it is meant
  primary key (account_id, mode, twin)
) with (fillfactor = 50);
create index twins_by_time on twins using brin (at);

-- Messages to customers that follow a purchase: recorded with its success, made into orders of their own right after.
create table notices (
  account_id uuid not null,
  order_id uuid not null,
  message_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'made', 'refused')),
  refusal jsonb, -- why there is no message
  created_at timestamptz not null default now(),
  primary key (account_id, order_id)
);
create index notices_pending on notices (created_at) where state = 'pending';

-- What a person must look at: an outcome that nobody knows after a day, a delivery after the money went back, a difference
-- between our books and a vendor's.
create table cases (
  account_id uuid not null,
  order_id uuid not null,
  kind text not null check (kind in ('outcome_unknown', 'late_success', 'outdated_attempt', 'reconciliation')),
  evidence jsonb not null,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  resolution text,
  primary key (account_id, order_id, kind)
);
create index cases_open on cases (opened_at) where closed_at is null;

-- A word that can't be trusted about an attempt: its order is asked about at once, whatever its state. 'held': somebody is at
-- it just now, and it is asked about right after. 'outdated': the attempt was given up on proof; a person must look.
create function hint_order(p_route text, p_reference text) returns text
language plpgsql as $$
declare
  named attempts;
  held boolean;
begin
  select * into named from attempts where route = p_route and reference = p_reference;
  if not found then return 'unknown'; end if;
  -- One statement: its lock decides whether the holder's record comes before or after.
  update orders o
     set hinted = coalesce(o.leased_until >= clock_timestamp(), false),
         due_at = case when o.leased_until >= clock_timestamp() then o.due_at else now() end,
         later_at = case when o.leased_until >= clock_timestamp() then o.later_at end
   where o.account_id = named.account_id and o.id = named.order_id and o.attempt = named.attempt
  returning o.hinted into held;
  if found then return case when held then 'held' else 'due' end; end if;
  insert into cases (account_id, order_id, kind, evidence)
  values (named.account_id, named.order_id, 'outdated_attempt',
          jsonb_build_object('route', named.route, 'reference', named.reference, 'attempt', named.attempt))
  on conflict do nothing;
  return 'outdated';
end
$$;

-- As in 0005; new are the spend caps, the line in the wallet's statement (0009) and the likely repeats.
drop function accept_orders;

-- Accepts a batch of orders: keys, quota, funds, orders and holds in one round trip and one fsync. Each unit (an order, or
-- the whole of a bulk) succeeds or fails alone; a row comes back for each order that was not newly accepted.
--
-- p_strict false: everything is inserted first and the wallet is locked last, so that its lock is short. If money or quota
--   does not go round, it raises AF402 and the node calls again with
-- p_strict true: wallets are locked first and each unit is decided by the running sum.
-- p_recheck: the answer of an earlier call with the same ids was lost; what it did is found and counts as accepted.
--
-- Order of locks, as everywhere: order_keys, twins, usage_counters, key_spend, wallets.
-- s_*: the spend cap of the order's key, if it has one; null arrays when no key of the batch has.
-- t_*: what names a purchase and its likely repeats; verdict 'twin' names the first.
create function accept_orders(
  p_strict boolean, p_recheck boolean, p_node uuid, p_lease_seconds double precision,
  p_account uuid[], p_id uuid[], p_mode text[], p_service text[], p_queue text[], p_state text[], p_priority smallint[],
  p_due timestamptz[], p_leased boolean[], p_ambiguity text[], p_price bigint[], p_tax bigint[], p_recipient text[],
  p_group uuid[], p_reference text[], p_metadata jsonb[], p_payload jsonb[], p_send_at timestamptz[], p_expires timestamptz[],
  p_created timestamptz[], p_unit int[], p_quota int[], p_period text[],
  k_n int[], k_account uuid[], k_mode text[], k_kind text[], k_key text[], k_target uuid[], k_fingerprint bytea[],
  p_group_row jsonb, s_key uuid[], s_cap bigint[], s_day date[],
  t_twin text[], t_allowed boolean[]
) returns table (n int, verdict text, target_id uuid, fingerprint bytea, ended_at timestamptz, available bigint)
language plpgsql as $$
#variable_conflict use_column
declare
  out_n int[] := '{}';       -- ordinals not to insert
  clash_n int[];
  unit record;
  wallet_account uuid;
  wallet_mode text;
  wallet_available bigint;
  key_spent bigint;
  horizon timestamptz := due_horizon();
  has_quota boolean := exists (select 1 from unnest(p_quota) q where q is not null);
  this_batch bigint := nextval('wallet_numbers');
  twins_before twins[];
begin
  if p_recheck then
    return query
      select i.n::int, 'accepted', null::uuid, null::bytea, null::timestamptz, null::bigint
        from unnest(p_account, p_id) with ordinality i(account_id, id, n)
        join orders o on o.account_id = i.account_id and o.id = i.id;
    select coalesce(array_agg(i.n::int), '{}') into out_n
      from unnest(p_account, p_id) with ordinality i(account_id, id, n)
      join orders o on o.account_id = i.account_id and o.id = i.id;
  end if;

  if cardinality(k_n) > 0 then
    insert into order_keys (account_id, mode, kind, key, target_id, fingerprint)
    select k.account_id, k.mode, k.kind, k.key, k.target_id, k.fingerprint
      from unnest(k_account, k_mode, k_kind, k_key, k_target, k_fingerprint) k(account_id, mode, kind, key, target_id, fingerprint)
     order by 1, 2, 3, 4
    on conflict do nothing;

    select array_agg(distinct k.n) into clash_n
      from unnest(k_n, k_account, k_mode, k_kind, k_key, k_target) k(n, account_id, mode, kind, key, target_id)
      join order_keys o on o.account_id = k.account_id and o.mode = k.mode and o.kind = k.kind and o.key = k.key
     where o.target_id <> k.target_id;
    if clash_n is not null then
      -- n 0 is the group's own key. The holder's end tells the node whether the key is still kept.
      return query
        select k.n, k.kind, o.target_id, o.fingerprint, coalesce(e.ended_at, g.ended_at), null::bigint
          from unnest(k_n, k_account, k_mode, k_kind, k_key, k_target) k(n, account_id, mode, kind, key, target_id)
          join order_keys o on o.account_id = k.account_id and o.mode = k.mode and o.kind = k.kind and o.key = k.key
          left join orders e on e.account_id = o.account_id and e.id = o.target_id
          left join order_groups g on g.account_id = o.account_id and g.id = o.target_id
         where o.target_id <> k.target_id;
      out_n := out_n || clash_n;
      delete from order_keys o
       using unnest(k_n, k_account, k_mode, k_kind, k_key, k_target) k(n, account_id, mode, kind, key, target_id)
       where k.n = any(clash_n) and o.account_id = k.account_id and o.mode = k.mode and o.kind = k.kind and o.key = k.key
         and o.target_id = k.target_id
         and o.target_id <> all(coalesce((select array_agg(s.target_id) from unnest(k_n, k_target) s(n, target_id) where s.n <> all(clash_n)), '{}'));
      if 0 = any(clash_n) then -- the group's own key: nothing of the group is accepted
        delete from order_keys o
         using unnest(k_account, k_mode, k_kind, k_key, k_target) k(account_id, mode, kind, key, target_id)
         where o.account_id = k.account_id and o.mode = k.mode and o.kind = k.kind and o.key = k.key and o.target_id = k.target_id;
        return;
      end if;
    end if;
  end if;

  if t_twin is not null then
    if p_strict then
      select array_agg(b.earlier) into twins_before from (
        select t as earlier from twins t
          join unnest(p_account, p_mode, t_twin) i(account_id, mode, twin) on t.account_id = i.account_id and t.mode = i.mode and t.twin = i.twin
         order by t.account_id, t.mode, t.twin for update of t) b;
    end if;
    -- Whoever is second waits here for the first, and then sees it.
    insert into twins (account_id, mode, twin, order_id, at, allowed)
    select i.account_id, i.mode, i.twin, i.id, i.created, i.allowed
      from unnest(p_account, p_mode, p_id, p_created, t_twin, t_allowed) with ordinality i(account_id, mode, id, created, twin, allowed, n)
     where i.twin is not null and i.n <> all(out_n)
     order by 1, 2, 3
    on conflict (account_id, mode, twin) do update set order_id = excluded.order_id, at = excluded.at, allowed = excluded.allowed
      where excluded.allowed or twins.order_id = excluded.order_id or twins.at <= excluded.at - interval '60 seconds'
         or exists (select 1 from orders o where o.account_id = twins.account_id and o.id = twins.order_id and o.state = 'failed');
    select array_agg(i.n::int) into clash_n
      from unnest(p_account, p_mode, p_id, t_twin) with ordinality i(account_id, mode, id, twin, n)
      join twins t on t.account_id = i.account_id and t.mode = i.mode and t.twin = i.twin
     where i.n <> all(out_n) and t.order_id <> i.id;
    if clash_n is not null then
      return query
        select i.n::int, 'twin', t.order_id, null::bytea, null::timestamptz, null::bigint
          from unnest(p_account, p_mode, p_id, t_twin) with ordinality i(account_id, mode, id, twin, n)
          join twins t on t.account_id = i.account_id and t.mode = i.mode and t.twin = i.twin
         where i.n = any(clash_n);
      out_n := out_n || clash_n;
      delete from order_keys o
       using unnest(k_n, k_account, k_mode, k_kind, k_key, k_target) k(n, account_id, mode, kind, key, target_id)
       where k.n = any(clash_n)
         and o.account_id = k.account_id and o.mode = k.mode and o.kind = k.kind and o.key = k.key and o.target_id = k.target_id;
    end if;
  end if;

  if p_strict then
    insert into usage_counters (account_id, mode, service, period)
    select distinct i.account_id, i.mode, i.service, i.period
      from unnest(p_account, p_mode, p_service, p_period, p_quota) i(account_id, mode, service, period, quota)
     where i.quota is not null order by 1, 2, 3, 4
    on conflict do nothing;
    perform 1 from usage_counters c
      where (c.account_id, c.mode, c.service, c.period) in (
        select i.account_id, i.mode, i.service, i.period
          from unnest(p_account, p_mode, p_service, p_period, p_quota) i(account_id, mode, service, period, quota)
         where i.quota is not null)
      order by c.account_id, c.mode, c.service, c.period for update;
    if s_key is not null then
      insert into key_spend (key_id, day)
      select distinct s.key_id, s.day from unnest(s_key, s_day) s(key_id, day) where s.key_id is not null order by 1, 2
      on conflict do nothing;
      perform 1 from key_spend k
        where (k.key_id, k.day) in (select s.key_id, s.day from unnest(s_key, s_day) s(key_id, day))
        order by k.key_id, k.day for update;
    end if;

    for unit in
      select i.unit, i.account_id, i.mode, min(i.service) as service, min(i.period) as period, min(i.quota) as quota,
             count(*) as orders, sum(i.price)::bigint as price, min(i.n)::int as first_n, array_agg(i.n::int) as ns,
             min(i.cap) as cap, (array_agg(i.key_id))[1] as key_id, min(i.day) as day
        from unnest(p_unit, p_account, p_mode, p_service, p_period, p_quota, p_price, s_key, s_cap, s_day)
             with ordinality i(unit, account_id, mode, service, period, quota, price, key_id, cap, day, n)
       where i.n <> all(out_n)
       group by i.unit, i.account_id, i.mode
       order by i.account_id, i.mode, min(i.n)
    loop
      if (unit.account_id, unit.mode) is distinct from (wallet_account, wallet_mode) then
        wallet_account := unit.account_id;
        wallet_mode := unit.mode;
        select l.credits_posted - l.debits_posted - l.debits_pending into wallet_available
          from ledger_accounts l
         where l.account_id = unit.account_id and l.mode = unit.mode and l.kind = 'wallet' for update;
        wallet_available := coalesce(wallet_available, 0);
      end if;
      if unit.price > wallet_available then
        return query select unit.first_n, 'funds', null::uuid, null::bytea, null::timestamptz, wallet_available;
        out_n := out_n || unit.ns;
        continue;
      end if;
      if unit.cap is not null and unit.price > 0 then
        select k.spent_kobo into key_spent from key_spend k where k.key_id = unit.key_id and k.day = unit.day;
        if key_spent + unit.price > unit.cap then
          return query
            select unit.first_n, 'spend', null::uuid, null::bytea, null::timestamptz, greatest(unit.cap - key_spent, 0);
          out_n := out_n || unit.ns;
          continue;
        end if;
      end if;
      if unit.quota is not null then
        update usage_counters c set used = c.used + unit.orders
         where c.account_id = unit.account_id and c.mode = unit.mode and c.service = unit.service and c.period = unit.period
           and c.used + unit.orders <= unit.quota;
        if not found then
          return query
            select unit.first_n, 'quota', null::uuid, null::bytea, null::timestamptz, greatest(unit.quota - c.used, 0)
              from usage_counters c
             where c.account_id = unit.account_id and c.mode = unit.mode and c.service = unit.service and c.period = unit.period;
          out_n := out_n || unit.ns;
          continue;
        end if;
      end if;
      if unit.cap is not null then
        update key_spend k set spent_kobo = k.spent_kobo + unit.price where k.key_id = unit.key_id and k.day = unit.day;
      end if;
      wallet_available := wallet_available - unit.price;
    end loop;
    -- A key is spent only by an order: those of the refused go.
    delete from order_keys o
     using unnest(k_n, k_account, k_mode, k_kind, k_key, k_target) k(n, account_id, mode, kind, key, target_id)
     where k.n = any(out_n)
       and o.account_id = k.account_id and o.mode = k.mode and o.kind = k.kind and o.key = k.key and o.target_id = k.target_id
       and not exists (select 1 from orders e where e.account_id = k.account_id and e.id = k.target_id)
       and not exists (select 1 from order_groups g where g.account_id = k.account_id and g.id = k.target_id);
    if t_twin is not null then
      delete from twins t
       using unnest(p_account, p_id, p_mode, t_twin) with ordinality i(account_id, id, mode, twin, n)
       where i.n = any(out_n) and t.account_id = i.account_id and t.mode = i.mode and t.twin = i.twin and t.order_id = i.id
         and not exists (select 1 from orders e where e.account_id = i.account_id and e.id = i.id);
      -- What was refused is no purchase: the one before it is again the newest.
      insert into twins select (unnest(twins_before)).* on conflict do nothing;
    end if;
  end if;

  if cardinality(out_n) >= cardinality(p_id) then
    -- Nothing of a bulk was accepted, be it that every item's reference is taken: no order can spend the bulk's own key.
    delete from order_keys o
     using unnest(k_n, k_account, k_mode, k_kind, k_key, k_target) k(n, account_id, mode, kind, key, target_id)
     where k.n = 0 and o.account_id = k.account_id and o.mode = k.mode and o.kind = k.kind and o.key = k.key and o.target_id = k.target_id
       and not exists (select 1 from order_groups g where g.account_id = k.account_id and g.id = k.target_id);
    return;
  end if;

  if p_group_row is not null then
    insert into order_groups (account_id, id, mode, service, total, open, payload, completion_event, created_at)
    select p_account[1], (p_group_row->>'id')::uuid, p_mode[1], p_service[1], cardinality(p_id) - cardinality(out_n),
           cardinality(p_id) - cardinality(out_n), p_group_row->'payload', p_group_row->>'completionEvent', p_created[1];
  end if;

  insert into orders (account_id, id, mode, service, queue, state, priority, due_at, later_at, leased_by, leased_until, lease_epoch,
    ambiguity, price_kobo, tax_kobo, recipient, group_id, reference, metadata, payload, send_at, expires_at, created_at, updated_at)
  select i.account_id, i.id, i.mode, i.service, i.queue, i.state, i.priority,
         case when i.leased then clock_timestamp() + make_interval(secs => p_lease_seconds) when i.due <= horizon then i.due end,
         case when not i.leased and i.due > horizon then i.due end,
         case when i.leased then p_node end,
         case when i.leased then clock_timestamp() + make_interval(secs => p_lease_seconds) end,
         case when i.leased then 1 else 0 end,
         i.ambiguity, i.price, i.tax, i.recipient, i.group_id, i.reference, i.metadata, i.payload, i.send_at, i.expires, i.created, i.created
    from unnest(p_account, p_id, p_mode, p_service, p_queue, p_state, p_priority, p_due, p_leased, p_ambiguity, p_price, p_tax,
                p_recipient, p_group, p_reference, p_metadata, p_payload, p_send_at, p_expires, p_created)
         with ordinality i(account_id, id, mode, service, queue, state, priority, due, leased, ambiguity, price, tax,
                recipient, group_id, reference, metadata, payload, send_at, expires, created, n)
   where i.n <> all(out_n);

  insert into transfers (account_id, id, order_id, mode, kind, debit_kind, credit_kind, amount_kobo, state, created_at, opened_in)
  select i.account_id, i.id, i.id, i.mode, 'hold', 'wallet', 'sales:' || i.service, i.price, 'pending', i.created, this_batch
    from unnest(p_account, p_id, p_mode, p_service, p_price, p_created) with ordinality i(account_id, id, mode, service, price, created, n)
   where i.n <> all(out_n) and i.price > 0;

  if has_quota and not p_strict then
    insert into usage_counters (account_id, mode, service, period, used)
    select i.account_id, i.mode, i.service, i.period, count(*)
      from unnest(p_account, p_mode, p_service, p_period, p_quota) with ordinality i(account_id, mode, service, period, quota, n)
     where i.quota is not null and i.n <> all(out_n)
     group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (account_id, mode, service, period) do update set used = usage_counters.used + excluded.used;
    if exists (
      select 1 from unnest(p_account, p_mode, p_service, p_period, p_quota) i(account_id, mode, service, period, quota)
        join usage_counters c on c.account_id = i.account_id and c.mode = i.mode and c.service = i.service and c.period = i.period
       where c.used > i.quota) then
      raise exception 'quota does not go round' using errcode = 'AF402';
    end if;
  end if;

  if s_key is not null and not p_strict then
    insert into key_spend (key_id, day, spent_kobo)
    select s.key_id, s.day, sum(s.price)
      from unnest(s_key, s_day, p_price) with ordinality s(key_id, day, price, n)
     where s.key_id is not null and s.price > 0 and s.n <> all(out_n)
     group by 1, 2 order by 1, 2
    on conflict (key_id, day) do update set spent_kobo = key_spend.spent_kobo + excluded.spent_kobo;
    if exists (
      select 1 from unnest(s_key, s_day, s_cap, p_price) with ordinality s(key_id, day, cap, price, n)
        join key_spend k on k.key_id = s.key_id and k.day = s.day
       where k.spent_kobo > s.cap and s.price > 0 and s.n <> all(out_n)) then
      raise exception 'the spend cap does not go round' using errcode = 'AF402';
    end if;
  end if;

  perform lock_wallets(p_account, p_mode);
  if not p_strict and exists (
    select 1
      from (select i.account_id, i.mode, sum(i.price) as price
              from unnest(p_account, p_mode, p_price) with ordinality i(account_id, mode, price, n)
             where i.n <> all(out_n) group by 1, 2) s
      left join ledger_accounts l on l.account_id = s.account_id and l.mode = s.mode and l.kind = 'wallet'
     where s.price > coalesce(l.credits_posted - l.debits_posted - l.debits_pending, 0)) then
    raise exception 'funds do not go round' using errcode = 'AF402';
  end if;
  with moved as (
    update ledger_accounts l
       set debits_pending = l.debits_pending + case when l.kind = 'wallet' then s.price else 0 end,
           credits_pending = l.credits_pending + case when l.kind = 'wallet' then 0 else s.price end
      from (
        select i.account_id, i.mode, w.kind, sum(i.price)::bigint as price, array_agg(i.id) filter (where w.kind = 'wallet') as ids
          from unnest(p_account, p_mode, p_service, p_price, p_id) with ordinality i(account_id, mode, service, price, id, n)
          cross join lateral (values ('wallet'), ('sales:' || i.service)) w(kind)
         where i.n <> all(out_n) and i.price > 0
         group by 1, 2, 3) s
     where l.account_id = s.account_id and l.mode = s.mode and l.kind = s.kind
    returning l.account_id, l.mode, l.kind, l.credits_posted - l.debits_posted as balance, l.debits_pending as held, s.ids)
  insert into wallet_commits (account_id, mode, position, batch, balance_kobo, held_kobo, opened)
  select m.account_id, m.mode, nextval('wallet_numbers'), this_batch, m.balance, m.held, m.ids from moved m where m.kind = 'wallet';
end
$$;

-- As in 0006; new are the line in the wallet's statement, c_reference (our reference of the attempt), c_taken (what of the hold
-- is taken; null: all of it) and the notices of purchases.
drop function change_orders;

-- Everything that happens to an order after its acceptance. The node decides (src/orders/decide.ts) on what it last read and
-- says which version that was; a change whose version is no longer current is not applied and comes back, to be decided anew.
-- A change may demand the node's own live lease (c_epoch): that is `begin`; or, with -1, that nobody has one: a cancel.
--
-- State, money and event change here in one transaction. Order of locks: orders, provider_references, groups, wallets.
-- p_low, p_high: smallest and largest order id, so that only the partitions between them are looked at.
-- (Parking a report locks references only, so that the two can't wait for each other in a circle.)
create function change_orders(
  p_node uuid, p_low uuid, p_high uuid,
  c_account uuid[], c_order uuid[], c_version int[], c_epoch int[], c_state text[], c_previous text[], c_due timestamptz[],
  c_release boolean[], c_attempt int[], c_route text[], c_reference text[], c_begun timestamptz[], c_ambiguous timestamptz[], c_tries int[],
  c_not_found timestamptz[], c_tried jsonb[], c_pieces jsonb[], c_facts jsonb[], c_ended timestamptz[], c_at timestamptz[],
  c_money text[], c_taken bigint[], c_type text[], c_detail jsonb[], c_group uuid[], c_event uuid[],
  r_route text[], r_reference text[], r_account uuid[], r_order uuid[], r_attempt int[], r_piece int[]
) returns table (stale_order uuid, parked_route text, parked_reference text)
language plpgsql as $$
#variable_conflict use_column
declare
  good int[];
  money_n int[];
  s_account uuid[];
  s_mode text[];
  s_kind text[];
  s_dp bigint[];
  s_d bigint[];
  s_cp bigint[];
  s_c bigint[];
  this_batch bigint;
  m_account uuid[];
  m_mode text[];
  m_opened uuid[];
  m_decided uuid[];
  horizon timestamptz := due_horizon();
begin
  if cardinality(c_order) = 0 then return; end if;

  select coalesce(array_agg(s.n), '{}') into good from (
    select c.n::int as n
      from unnest(c_account, c_order, c_version, c_epoch) with ordinality c(account_id, order_id, version, epoch, n)
      join orders o on o.account_id = c.account_id and o.id = c.order_id and o.id between p_low and p_high
     where o.version = c.version
       and case when c.epoch is null then true
                when c.epoch < 0 then o.leased_until is null or o.leased_until < clock_timestamp()
                else o.lease_epoch = c.epoch and o.leased_by = p_node and o.leased_until > clock_timestamp() end
     order by o.id
     for update of o) s;

  if cardinality(r_route) > 0 then
    -- Only of changes that are applied: a report must not meet an order whose attempt is not recorded yet. Those that came
    -- first are named to the node.
    return query
      with met as (
        insert into provider_references (route, reference, account_id, order_id, attempt, piece)
        select r.route, r.reference, r.account_id, r.order_id, r.attempt, r.piece
          from unnest(r_route, r_reference, r_account, r_order, r_attempt, r_piece) r(route, reference, account_id, order_id, attempt, piece)
         where r.order_id in (select c.order_id from unnest(c_order) with ordinality c(order_id, n) where c.n = any(good))
         order by 1, 2
        on conflict (route, reference) do update
          set account_id = excluded.account_id, order_id = excluded.order_id, attempt = excluded.attempt,
              piece = excluded.piece, created_at = now(),
              earlier = case when believed(provider_references) then case
                when provider_references.order_id <> excluded.order_id
                then bounded_json(coalesce(provider_references.earlier, '[]') || jsonb_build_object(
                  'account_id', provider_references.account_id, 'order_id', provider_references.order_id,
                  'attempt', provider_references.attempt, 'piece', provider_references.piece, 'at', provider_references.created_at))
                else provider_references.earlier end end,
              parked = case when believed(provider_references)
                then bounded_json(coalesce(provider_references.parked || provider_references.apart,
                                           provider_references.parked, provider_references.apart)) end,
              apart = null
        returning route, reference, parked)
      select null::uuid, met.route, met.reference from met where met.parked is not null;
  end if;

  with changed as (
  update orders o
     set version = o.version + 1, state = c.state, updated_at = c.at,
         -- A lease that is kept is due when it runs out.
         due_at = case when not c.release then o.due_at when o.hinted then now() when c.due <= horizon then c.due end,
         later_at = case when not c.release then o.later_at when not o.hinted and c.due > horizon then c.due end,
         hinted = o.hinted and not c.release,
         leased_by = case when c.release then null else o.leased_by end,
         leased_until = case when c.release then null else o.leased_until end,
         attempt = c.attempt, route = c.route, attempt_reference = c.reference, begun_at = c.begun, ambiguous_at = c.ambiguous, tries = c.tries,
         not_found_at = c.not_found,
         tried = case when c.tried is null then o.tried else array(select jsonb_array_elements_text(c.tried)) end,
         pieces = c.pieces, facts = c.facts, ended_at = c.ended,
         event_sequence = o.event_sequence + case when c.type is null then 0 else 1 end
    from unnest(c_account, c_order, c_state, c_previous, c_due, c_release, c_attempt, c_route, c_reference, c_begun, c_ambiguous, c_tries,
                c_not_found, c_tried, c_pieces, c_facts, c_ended, c_at, c_type, c_detail, c_event)
         with ordinality c(account_id, order_id, state, previous, due, release, attempt, route, reference, begun, ambiguous, tries,
                not_found, tried, pieces, facts, ended, at, type, detail, event, n)
   where c.n = any(good) and o.account_id = c.account_id and o.id = c.order_id and o.id between p_low and p_high
  returning c.account_id, c.order_id, o.version, o.mode, c.event, c.type, o.event_sequence, c.state, c.previous, c.at, c.detail,
            o.state = 'successful' and c.previous <> 'successful' and o.payload ? 'notify' as tells),
  told as (
    insert into notices (account_id, order_id, message_id)
    select h.account_id, h.order_id, later_transfer_id(h.order_id, 'notice') from changed h where h.tells
    on conflict do nothing)
  insert into events (account_id, order_id, version, mode, id, type, sequence, status, previous_status, at, detail)
  select h.account_id, h.order_id, h.version, h.mode, h.event, h.type,
         case when h.type is not null then h.event_sequence end, h.state, h.previous, h.at, h.detail
    from changed h;

  if c_reference is not null then
    -- An attempt and its reference are committed before the call. A reference that another attempt has fails the change: what
    -- a vendor is asked by must name one thing.
    insert into attempts (route, reference, account_id, order_id, attempt, begun_at)
    select c.route, c.reference, c.account_id, c.order_id, c.attempt, c.begun
      from unnest(c_account, c_order, c_epoch, c_attempt, c_route, c_reference, c_begun)
           with ordinality c(account_id, order_id, epoch, attempt, route, reference, begun, n)
     where c.n = any(good) and c.epoch > 0 and c.reference is not null and c.begun is not null
     order by 1, 2;
  end if;

  if c_group is not null and c_ended is not null then
    -- An order ends now when its end is the moment of the change; a later reversal changes a state that has ended before.
    perform 1 from order_groups g
      where (g.account_id, g.id) in (
        select c.account_id, c.group_id
          from unnest(c_account, c_group, c_ended, c_at) with ordinality c(account_id, group_id, ended, at, n)
         where c.n = any(good) and c.ended = c.at and c.group_id is not null)
      order by g.account_id, g.id for update;
    with ended as (
      select c.account_id, c.group_id, count(*)::int as orders, max(c.at) as at
        from unnest(c_account, c_group, c_ended, c_at) with ordinality c(account_id, group_id, ended, at, n)
       where c.n = any(good) and c.ended = c.at and c.group_id is not null
       group by 1, 2),
    closed as (
      update order_groups g
         set open = g.open - e.orders, ended_at = case when g.open = e.orders then e.at end,
             event_sequence = g.event_sequence + case when g.open = e.orders then 1 else 0 end
        from ended e where g.account_id = e.account_id and g.id = e.group_id
      returning g.account_id, g.id, g.mode, g.completion_event, g.event_sequence, g.ended_at)
    insert into events (account_id, order_id, version, mode, id, type, sequence, status, at)
    select x.account_id, x.id, x.event_sequence, x.mode, uuidv7_now(), x.completion_event, x.event_sequence, 'completed', x.ended_at
      from closed x where x.ended_at is not null and x.completion_event is not null;
  end if;

  select array_agg(c.n::int) into money_n from unnest(c_money) with ordinality c(money, n)
   where c.money is not null and c.n = any(good);
  if money_n is not null then
    this_batch := nextval('wallet_numbers');
    -- Transfers first: they are guarded by their orders' locks. The wallets come last, so that their locks are short.
    with wanted as (
      select c.account_id, c.order_id, c.money, c.taken, c.at
        from unnest(c_account, c_order, c_money, c_taken, c_at) with ordinality c(account_id, order_id, money, taken, at, n)
       where c.n = any(money_n)),
    settled as (
      update transfers t
         set state = case w.money when 'post' then 'posted' else 'voided' end,
             posted_kobo = case w.money when 'post' then least(coalesce(w.taken, t.amount_kobo), t.amount_kobo) end, decided_at = w.at, decided_in = this_batch
        from wanted w
       where w.money in ('post', 'void') and t.account_id = w.account_id and t.id = w.order_id and t.state = 'pending'
         and t.id between p_low and p_high
      returning t.account_id, t.mode, t.id, t.debit_kind, t.credit_kind, t.amount_kobo as released, coalesce(t.posted_kobo, 0) as posted),
    -- After the hold was decided: refund (our price back), loss (done for nothing), loss_undone.
    later as (
      insert into transfers (account_id, id, order_id, mode, kind, debit_kind, credit_kind, amount_kobo, state, posted_kobo, created_at, decided_at, opened_in)
      select o.account_id, later_transfer_id(o.id, w.money), o.id, o.mode, w.money,
             case w.money when 'refund' then 'refunds' when 'loss' then 'loss' else 'sales:' || o.service end,
             case w.money when 'refund' then 'wallet' when 'loss' then 'sales:' || o.service else 'loss' end,
             o.price_kobo, 'posted', o.price_kobo, w.at, w.at, this_batch
        from wanted w join orders o on o.account_id = w.account_id and o.id = w.order_id
       where w.money in ('refund', 'loss', 'loss_undone') and o.price_kobo > 0
         and (w.money <> 'loss_undone' or exists (
           select 1 from transfers t where t.account_id = o.account_id and t.id = later_transfer_id(o.id, 'loss')))
      on conflict do nothing
      returning account_id, mode, id, debit_kind, credit_kind, 0::bigint as released, amount_kobo as posted),
    moves as (
      select account_id, mode, debit_kind as kind, released as dp, posted as d, 0::bigint as cp, 0::bigint as c from settled
      union all select account_id, mode, credit_kind, 0, 0, released, posted from settled
      union all select account_id, mode, debit_kind, 0, posted, 0, 0 from later
      union all select account_id, mode, credit_kind, 0, 0, 0, posted from later),
    sums as (
      select account_id, mode, kind, sum(dp)::bigint as dp, sum(d)::bigint as d, sum(cp)::bigint as cp, sum(c)::bigint as c
        from moves group by 1, 2, 3),
    -- What the wallets' statements tell of it: holds that were decided, and refunds.
    told as (
      select account_id, mode, null::uuid as opened, id as decided from settled
      union all select account_id, mode, id, null from later where 'wallet' in (debit_kind, credit_kind))
    select s.*, t.* into s_account, s_mode, s_kind, s_dp, s_d, s_cp, s_c, m_account, m_mode, m_opened, m_decided
      from (select array_agg(account_id), array_agg(mode), array_agg(kind), array_agg(dp), array_agg(d), array_agg(cp), array_agg(c)
              from sums) s,
           (select array_agg(account_id), array_agg(mode), array_agg(opened), array_agg(decided) from told) t;
    if s_account is not null then
      perform lock_wallets(s_account, s_mode);
      with moved as (
        update ledger_accounts l
           set debits_pending = l.debits_pending - s.dp, debits_posted = l.debits_posted + s.d,
               credits_pending = l.credits_pending - s.cp, credits_posted = l.credits_posted + s.c
          from unnest(s_account, s_mode, s_kind, s_dp, s_d, s_cp, s_c) s(account_id, mode, kind, dp, d, cp, c)
         where l.account_id = s.account_id and l.mode = s.mode and l.kind = s.kind
        returning l.account_id, l.mode, l.kind, l.credits_posted - l.debits_posted as balance, l.debits_pending as held)
      insert into wallet_commits (account_id, mode, position, batch, balance_kobo, held_kobo, opened, decided)
      select m.account_id, m.mode, nextval('wallet_numbers'), this_batch, m.balance, m.held, t.opened, t.decided
        from moved m
        join (select t.account_id, t.mode, coalesce(array_agg(t.opened) filter (where t.opened is not null), '{}') as opened,
                     coalesce(array_agg(t.decided) filter (where t.decided is not null), '{}') as decided
                from unnest(m_account, m_mode, m_opened, m_decided) t(account_id, mode, opened, decided) group by 1, 2) t
          on t.account_id = m.account_id and t.mode = m.mode
       where m.kind = 'wallet';
    end if;
  end if;

  if cardinality(good) < cardinality(c_order) then
    return query
      select c.order_id, null::text, null::text from unnest(c_order) with ordinality c(order_id, n) where c.n <> all(good);
  end if;
end
$$;
