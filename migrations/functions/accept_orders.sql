-- Accepts a batch of orders: keys, quota, funds, orders and holds in one round trip and one fsync. Each unit (an order, or a
-- whole bulk) succeeds or fails alone. Returns a row for each order that was not newly accepted.
--
-- p_strict false: inserts everything first and locks the wallet last, so that the lock is short. When money or quota is
--   insufficient, it raises AF402 and the node calls again with
-- p_strict true: locks wallets first and decides each unit by the running sum.
-- p_recheck: the answer of an earlier call with the same ids was lost; orders it stored count as accepted.
-- s_*: the spend cap of the order's key; null arrays when no key in the batch has one.
-- t_*: identifies a purchase and its likely duplicates; verdict 'twin' names the first one.
-- p_request: the request that created each order; a bulk's request is in p_group_row. Nodes of an older build omit it.
--
-- Lock order, as everywhere: order_keys, twins, usage_counters, key_spend, wallets.
--
-- Settings, as in begin_accepted and change_orders, which every purchase calls: planning the statements anew at each call took
-- longer than running them, and the planner, which does not count its own time, never finds a generic plan cheap enough. A plan
-- made while a table is small must serve when it is large, so only index look-ups in a loop over the batch are allowed.
create or replace function accept_orders(
  p_strict boolean, p_recheck boolean, p_node uuid, p_lease_seconds double precision,
  p_account uuid[], p_id uuid[], p_mode text[], p_service text[], p_queue text[], p_state text[], p_priority smallint[],
  p_due timestamptz[], p_leased boolean[], p_ambiguity text[], p_price bigint[], p_tax bigint[], p_recipient text[],
  p_group uuid[], p_reference text[], p_metadata jsonb[], p_payload jsonb[], p_send_at timestamptz[], p_expires timestamptz[],
  p_created timestamptz[], p_unit int[], p_quota int[], p_period text[],
  k_n int[], k_account uuid[], k_mode text[], k_kind text[], k_key text[], k_target uuid[], k_fingerprint bytea[],
  p_group_row jsonb, s_key uuid[], s_cap bigint[], s_day date[],
  t_twin text[], t_allowed boolean[], p_request uuid[] default null
) returns table (n int, verdict text, target_id uuid, fingerprint bytea, ended_at timestamptz, available bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  out_n int[] := '{}';       -- positions not to insert
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
  group_request uuid := (p_group_row->>'requestId')::uuid;
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
    -- Changes nothing but locks the conflicting key: if it were deleted before the query below, the order would be accepted without a key.
    on conflict (account_id, mode, kind, key) do update set target_id = excluded.target_id where false;

    select array_agg(distinct k.n) into clash_n
      from unnest(k_n, k_account, k_mode, k_kind, k_key, k_target) k(n, account_id, mode, kind, key, target_id)
      join order_keys o on o.account_id = k.account_id and o.mode = k.mode and o.kind = k.kind and o.key = k.key
     where o.target_id <> k.target_id;
    if clash_n is not null then
      -- n 0 is the group's own key. The end time of the order that has it tells the node whether the key is still kept.
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
    -- The second of two duplicates waits here for the first, and then sees it.
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
    -- Only an order uses up a key: delete the keys of refused orders.
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
      -- A refused order is no purchase: the one before it is the newest again.
      insert into twins select (unnest(twins_before)).* on conflict do nothing;
    end if;
  end if;

  if cardinality(out_n) >= cardinality(p_id) then
    -- Nothing of a bulk was accepted (every item's reference may be taken): no order can use up the bulk's own key.
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
    ambiguity, price_kobo, tax_kobo, recipient, group_id, reference, metadata, payload, send_at, expires_at, created_at, updated_at, request_id)
  select i.account_id, i.id, i.mode, i.service, i.queue, i.state, i.priority,
         case when i.leased then clock_timestamp() + make_interval(secs => p_lease_seconds) when i.due <= horizon then i.due end,
         case when not i.leased and i.due > horizon then i.due end,
         case when i.leased then p_node end,
         case when i.leased then clock_timestamp() + make_interval(secs => p_lease_seconds) end,
         case when i.leased then 1 else 0 end,
         i.ambiguity, i.price, i.tax, i.recipient, i.group_id, i.reference, i.metadata, i.payload, i.send_at, i.expires, i.created, i.created,
         coalesce(i.request, group_request)
    from unnest(p_account, p_id, p_mode, p_service, p_queue, p_state, p_priority, p_due, p_leased, p_ambiguity, p_price, p_tax,
                p_recipient, p_group, p_reference, p_metadata, p_payload, p_send_at, p_expires, p_created, p_request)
         with ordinality i(account_id, id, mode, service, queue, state, priority, due, leased, ambiguity, price, tax,
                recipient, group_id, reference, metadata, payload, send_at, expires, created, request, n)
   where i.n <> all(out_n);

  insert into transfers (account_id, id, order_id, mode, kind, debit_kind, credit_kind, amount_kobo, state, created_at, opened_in)
  select i.account_id, i.id, i.id, i.mode, 'hold', 'wallet', 'sales:' || i.service, i.price, 'pending', i.created, this_batch
    from unnest(p_account, p_id, p_mode, p_service, p_price, p_created) with ordinality i(account_id, id, mode, service, price, created, n)
   where i.n <> all(out_n) and i.price > 0;

  insert into usage_changes (account_id, mode, hour, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo)
  select i.account_id, i.mode, date_bin('1 hour', i.created, 'epoch'), i.service, i.state, count(*), sum(i.price), sum(i.price), 0, 0
    from unnest(p_account, p_mode, p_created, p_service, p_state, p_price) with ordinality i(account_id, mode, created, service, state, price, n)
   where i.n <> all(out_n)
   group by 1, 2, 3, 4, 5;

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
