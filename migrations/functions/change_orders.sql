-- Every change of an order after its acceptance. The node decides (src/orders/decide.ts) on the version it last read; a change
-- whose version is no longer current is not applied and its order is returned, for a new decision.
-- A change may require the node's own live lease (c_epoch), as `begin` does, or that nobody holds a lease (-1), as a cancel does.
-- c_own_begin: the time of the begin that the change was decided on, where the begin's answer was lost: if it was not stored, another
-- change may have its version. Nodes of an older build omit it.
--
-- State, money and event change here in one transaction. Lock order: orders, provider_references, groups, wallets. (Parking a
-- report locks references alone, so the two cannot deadlock.)
-- p_low, p_high: smallest and largest order id, so that only the partitions between them are read.
-- c_failed: nodes of an older build omit it and mean by c_not_found either of two words of the vendor, so neither is stored: the
-- vendor is asked once more.
-- c_reference: our reference of the attempt. c_taken: how much of the hold is charged; null: all of it.
-- Settings: see accept_orders. `c.n between …` holds for all: by it the planner takes the batch for one row, reads it first and each order
-- by its key. Else it may read all orders between p_low and p_high, and compare each with the whole batch.
create or replace function change_orders(
  p_node uuid, p_low uuid, p_high uuid,
  c_account uuid[], c_order uuid[], c_version int[], c_epoch int[], c_state text[], c_previous text[], c_due timestamptz[],
  c_release boolean[], c_attempt int[], c_route text[], c_reference text[], c_begun timestamptz[], c_ambiguous timestamptz[], c_tries int[],
  c_not_found timestamptz[], c_tried jsonb[], c_pieces jsonb[], c_facts jsonb[], c_ended timestamptz[], c_at timestamptz[],
  c_money text[], c_taken bigint[], c_type text[], c_detail jsonb[], c_group uuid[], c_event uuid[],
  r_route text[], r_reference text[], r_account uuid[], r_order uuid[], r_attempt int[], r_piece int[],
  c_failed timestamptz[] default '{}', c_own_begin timestamptz[] default '{}'
) returns table (stale_order uuid, parked_route text, parked_reference text)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  -- By the number of a change: whether it is applied. Read by subscript: a search through a list would cost its length for each row.
  good boolean[] := array_fill(false, array[cardinality(c_order)]);
  applied int := 0;
  change int;
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

  -- A join at the top: where the lock is in a lateral subquery, the recheck of a row that was changed meanwhile crashes PostgreSQL 18.4.
  for change in
    select c.n
      from unnest(c_account, c_order, c_version, c_epoch, c_own_begin) with ordinality c(account_id, order_id, version, epoch, own_begin, n)
      join orders o on o.account_id = c.account_id and o.id = c.order_id and o.id between p_low and p_high
     where c.n between 1 and cardinality(c_order) and o.version = c.version
       and (c.own_begin is null or o.begun_at = c.own_begin)
       and case when c.epoch is null then true
                when c.epoch < 0 then o.leased_until is null or o.leased_until < clock_timestamp()
                else o.lease_epoch = c.epoch and o.leased_by = p_node and o.leased_until > clock_timestamp() end
     order by o.id
     for update of o
  loop
    good[change] := true;
    applied := applied + 1;
  end loop;

  if cardinality(r_route) > 0 then
    -- Only for changes that are applied: a report must not find an order whose attempt is not recorded yet. References with
    -- parked reports are returned to the node.
    return query
      with met as (
        insert into provider_references (route, reference, account_id, order_id, attempt, piece)
        select r.route, r.reference, r.account_id, r.order_id, r.attempt, r.piece
          from unnest(r_route, r_reference, r_account, r_order, r_attempt, r_piece) r(route, reference, account_id, order_id, attempt, piece)
         -- `is true` keeps it a look-up in a hash: as a join, which has no index here, it would cost the square of the batch.
         where (r.order_id in (select c.order_id from unnest(c_order) with ordinality c(order_id, n) where good[c.n])) is true
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
         -- With a kept lease the order is due when the lease expires.
         due_at = case when not c.release then o.due_at
                       when hinted_due(o.hinted, o.hint_due_at, c.due) <= horizon then hinted_due(o.hinted, o.hint_due_at, c.due) end,
         later_at = case when not c.release then o.later_at
                         when hinted_due(o.hinted, o.hint_due_at, c.due) > horizon then hinted_due(o.hinted, o.hint_due_at, c.due) end,
         hinted = o.hinted and not c.release,
         leased_by = case when c.release then null else o.leased_by end,
         leased_until = case when c.release then null else o.leased_until end,
         attempt = c.attempt, route = c.route, attempt_reference = c.reference, begun_at = c.begun, ambiguous_at = c.ambiguous, tries = c.tries,
         not_found_at = case when c_failed = '{}' then null else c.not_found end, failed_at = c.failed,
         tried = case when c.tried is null then o.tried else array(select jsonb_array_elements_text(c.tried)) end,
         pieces = c.pieces, facts = c.facts, ended_at = c.ended,
         event_sequence = o.event_sequence + case when c.type is null then 0 else 1 end
    from unnest(c_account, c_order, c_state, c_previous, c_due, c_release, c_attempt, c_route, c_reference, c_begun, c_ambiguous, c_tries,
                c_not_found, c_failed, c_tried, c_pieces, c_facts, c_ended, c_at, c_type, c_detail, c_event)
         with ordinality c(account_id, order_id, state, previous, due, release, attempt, route, reference, begun, ambiguous, tries,
                not_found, failed, tried, pieces, facts, ended, at, type, detail, event, n)
   where good[c.n] and c.n between 1 and cardinality(c_order)
     and o.account_id = c.account_id and o.id = c.order_id and o.id between p_low and p_high
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
    -- An attempt and its reference are committed before the call. Another attempt's reference fails the change: a requery must
    -- identify one attempt.
    insert into attempts (route, reference, account_id, order_id, attempt, begun_at)
    select c.route, c.reference, c.account_id, c.order_id, c.attempt, c.begun
      from unnest(c_account, c_order, c_epoch, c_attempt, c_route, c_reference, c_begun)
           with ordinality c(account_id, order_id, epoch, attempt, route, reference, begun, n)
     where good[c.n] and c.epoch > 0 and c.reference is not null and c.begun is not null
     order by 1, 2;
  end if;

  if c_group is not null and c_ended is not null then
    -- An order ends now when its end time is the time of the change; a later reversal changes an order that has already ended.
    perform 1 from order_groups g
      where (g.account_id, g.id) in (
        select c.account_id, c.group_id
          from unnest(c_account, c_group, c_ended, c_at) with ordinality c(account_id, group_id, ended, at, n)
         where good[c.n] and c.ended = c.at and c.group_id is not null)
      order by g.account_id, g.id for update;
    with ended as (
      select c.account_id, c.group_id, count(*)::int as orders, max(c.at) as at
        from unnest(c_account, c_group, c_ended, c_at) with ordinality c(account_id, group_id, ended, at, n)
       where good[c.n] and c.ended = c.at and c.group_id is not null
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

  if exists (select from unnest(c_money) with ordinality c(money, n) where c.money is not null and good[c.n]) then
    this_batch := nextval('wallet_numbers');
    -- Transfers first: the orders' locks guard them. Wallets last, so that their locks are short.
    with wanted as (
      select c.account_id, c.order_id, c.money, c.taken, c.at
        from unnest(c_account, c_order, c_money, c_taken, c_at) with ordinality c(account_id, order_id, money, taken, at, n)
       where c.money is not null and good[c.n] and c.n between 1 and cardinality(c_order)),
    settled as (
      update transfers t
         set state = case w.money when 'post' then 'posted' else 'voided' end,
             posted_kobo = case w.money when 'post' then least(coalesce(w.taken, t.amount_kobo), t.amount_kobo) end, decided_at = w.at, decided_in = this_batch
        from wanted w
       where w.money in ('post', 'void') and t.account_id = w.account_id and t.id = w.order_id and t.state = 'pending'
         and t.id between p_low and p_high
      returning t.account_id, t.mode, t.id, t.debit_kind, t.credit_kind, t.amount_kobo as released, coalesce(t.posted_kobo, 0) as posted),
    -- After the hold was decided: refund (the price goes back), loss (delivered without payment), loss_undone.
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
    -- Lines of the wallets' statements: decided holds, and refunds.
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

  -- Usage: an order counts no longer as it did in its previous state, but as it does now. What this call moved is told by its batch.
  insert into usage_changes (account_id, mode, hour, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo)
  select o.account_id, o.mode, date_bin('1 hour', o.created_at, 'epoch'), o.service, s.state,
         sum(s.n), sum(s.n * o.price_kobo), sum(s.held), sum(s.posted - s.refunded), sum(s.refunded)
    from unnest(c_account, c_order, c_state, c_previous, c_money) with ordinality c(account_id, order_id, state, previous, money, n)
    join orders o on o.account_id = c.account_id and o.id = c.order_id and o.id between p_low and p_high
    left join transfers h on h.account_id = c.account_id and h.id = c.order_id and h.id between p_low and p_high
    -- Only what was charged earlier can have been refunded. `offset 0`: this is asked before the refund is looked for.
    left join lateral (
      select r.opened_in, r.amount_kobo from transfers r
       where h.posted_kobo > 0 and (this_batch is null or h.decided_in is distinct from this_batch)
         and r.account_id = c.account_id and r.id = later_transfer_id(c.order_id, 'refund') offset 0) r on true
   cross join lateral (values
     (c.previous, -1,
      case when h.state = 'pending' or h.decided_in = this_batch then -h.amount_kobo else 0 end,
      case when h.decided_in = this_batch then 0 else -coalesce(h.posted_kobo, 0) end,
      case when r.opened_in = this_batch then 0 else -coalesce(r.amount_kobo, 0) end),
     (c.state, 1, case when h.state = 'pending' then h.amount_kobo else 0 end, coalesce(h.posted_kobo, 0), coalesce(r.amount_kobo, 0))
   ) s(state, n, held, posted, refunded)
   where good[c.n] and c.n between 1 and cardinality(c_order) and (c.state <> c.previous or c.money is not null)
   group by 1, 2, 3, 4, 5
  having (sum(s.n), sum(s.n * o.price_kobo), sum(s.held), sum(s.posted), sum(s.refunded)) <> (0, 0, 0, 0, 0);

  if applied < cardinality(c_order) then
    return query
      select c.order_id, null::text, null::text from unnest(c_order) with ordinality c(order_id, n) where not good[c.n];
  end if;
end
$$;
