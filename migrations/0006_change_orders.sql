-- PostgreSQL has uuidv7() of its own only from 18 on. Too slow for a row of every change: those ids come from the node.
create function uuidv7_now() returns uuid
language sql volatile as $$
  select (substr(uuidv7_floor(clock_timestamp())::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid
$$;

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
  c_release boolean[], c_attempt int[], c_route text[], c_begun timestamptz[], c_ambiguous timestamptz[], c_tries int[],
  c_not_found timestamptz[], c_tried jsonb[], c_pieces jsonb[], c_facts jsonb[], c_ended timestamptz[], c_at timestamptz[],
  c_money text[], c_type text[], c_detail jsonb[], c_group uuid[], c_event uuid[],
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
         due_at = case when not c.release then o.due_at when c.due <= horizon then c.due end,
         later_at = case when not c.release then o.later_at when c.due > horizon then c.due end,
         leased_by = case when c.release then null else o.leased_by end,
         leased_until = case when c.release then null else o.leased_until end,
         attempt = c.attempt, route = c.route, begun_at = c.begun, ambiguous_at = c.ambiguous, tries = c.tries,
         not_found_at = c.not_found,
         tried = case when c.tried is null then o.tried else array(select jsonb_array_elements_text(c.tried)) end,
         pieces = c.pieces, facts = c.facts, ended_at = c.ended,
         event_sequence = o.event_sequence + case when c.type is null then 0 else 1 end
    from unnest(c_account, c_order, c_state, c_previous, c_due, c_release, c_attempt, c_route, c_begun, c_ambiguous, c_tries,
                c_not_found, c_tried, c_pieces, c_facts, c_ended, c_at, c_type, c_detail, c_event)
         with ordinality c(account_id, order_id, state, previous, due, release, attempt, route, begun, ambiguous, tries,
                not_found, tried, pieces, facts, ended, at, type, detail, event, n)
   where c.n = any(good) and o.account_id = c.account_id and o.id = c.order_id and o.id between p_low and p_high
  returning c.account_id, c.order_id, o.version, o.mode, c.event, c.type, o.event_sequence, c.state, c.previous, c.at, c.detail)
  insert into events (account_id, order_id, version, mode, id, type, sequence, status, previous_status, at, detail)
  select h.account_id, h.order_id, h.version, h.mode, h.event, h.type,
         case when h.type is not null then h.event_sequence end, h.state, h.previous, h.at, h.detail
    from changed h;

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
    -- Transfers first: they are guarded by their orders' locks. The wallets come last, so that their locks are short.
    with wanted as (
      select c.account_id, c.order_id, c.money, c.at
        from unnest(c_account, c_order, c_money, c_at) with ordinality c(account_id, order_id, money, at, n)
       where c.n = any(money_n)),
    settled as (
      update transfers t
         set state = case w.money when 'post' then 'posted' else 'voided' end,
             posted_kobo = case w.money when 'post' then t.amount_kobo end, decided_at = w.at
        from wanted w
       where w.money in ('post', 'void') and t.account_id = w.account_id and t.id = w.order_id and t.state = 'pending'
         and t.id between p_low and p_high
      returning t.account_id, t.mode, t.debit_kind, t.credit_kind, t.amount_kobo as released, coalesce(t.posted_kobo, 0) as posted),
    -- After the hold was decided: refund (our price back), loss (done for nothing), loss_undone.
    later as (
      insert into transfers (account_id, id, order_id, mode, kind, debit_kind, credit_kind, amount_kobo, state, posted_kobo, created_at, decided_at)
      select o.account_id, later_transfer_id(o.id, w.money), o.id, o.mode, w.money,
             case w.money when 'refund' then 'refunds' when 'loss' then 'loss' else 'sales:' || o.service end,
             case w.money when 'refund' then 'wallet' when 'loss' then 'sales:' || o.service else 'loss' end,
             o.price_kobo, 'posted', o.price_kobo, w.at, w.at
        from wanted w join orders o on o.account_id = w.account_id and o.id = w.order_id
       where w.money in ('refund', 'loss', 'loss_undone') and o.price_kobo > 0
         and (w.money <> 'loss_undone' or exists (
           select 1 from transfers t where t.account_id = o.account_id and t.id = later_transfer_id(o.id, 'loss')))
      on conflict do nothing
      returning account_id, mode, debit_kind, credit_kind, 0::bigint as released, amount_kobo as posted),
    moves as (
      select account_id, mode, debit_kind as kind, released as dp, posted as d, 0::bigint as cp, 0::bigint as c from settled
      union all select account_id, mode, credit_kind, 0, 0, released, posted from settled
      union all select account_id, mode, debit_kind, 0, posted, 0, 0 from later
      union all select account_id, mode, credit_kind, 0, 0, 0, posted from later),
    sums as (
      select account_id, mode, kind, sum(dp)::bigint as dp, sum(d)::bigint as d, sum(cp)::bigint as cp, sum(c)::bigint as c
        from moves group by 1, 2, 3)
    select array_agg(account_id), array_agg(mode), array_agg(kind), array_agg(dp), array_agg(d), array_agg(cp), array_agg(c)
      into s_account, s_mode, s_kind, s_dp, s_d, s_cp, s_c from sums;
    if s_account is not null then
      perform lock_wallets(s_account, s_mode);
      update ledger_accounts l
         set debits_pending = l.debits_pending - s.dp, debits_posted = l.debits_posted + s.d,
             credits_pending = l.credits_pending - s.cp, credits_posted = l.credits_posted + s.c
        from unnest(s_account, s_mode, s_kind, s_dp, s_d, s_cp, s_c) s(account_id, mode, kind, dp, d, cp, c)
       where l.account_id = s.account_id and l.mode = s.mode and l.kind = s.kind;
    end if;
  end if;

  if cardinality(good) < cardinality(c_order) then
    return query
      select c.order_id, null::text, null::text from unnest(c_order) with ordinality c(order_id, n) where c.n <> all(good);
  end if;
end
$$;

-- The id of an order's refund, loss or loss_undone: in the order's partition (its time), and the same at every repeat, so
-- that each happens once.
create function later_transfer_id(p_order uuid, p_kind text) returns uuid
language sql immutable as $$
  select (left(p_order::text, 15) || substr(md5(p_order::text || p_kind)::uuid::text, 16))::uuid
$$;

-- Claims due orders of one queue for a node: higher priority first, within a priority the accounts in turn. Rows that
-- another node holds are skipped, not waited for.
create function claim_orders(p_node uuid, p_lease_seconds double precision, p_queue text, p_max int, p_now timestamptz)
returns setof orders
language plpgsql as $$
declare
  head record;
  wanted int := p_max;
  taken uuid[] := '{}';
  accounts uuid[] := '{}';
  got uuid[];
  share int;
begin
  for head in
    with recursive heads as (
      (select o.priority, o.account_id from orders o
        where o.queue = p_queue and o.due_at is not null order by o.priority, o.account_id limit 1)
      union all
      select n.priority, n.account_id from heads h, lateral (
        select o.priority, o.account_id from orders o
         where o.queue = p_queue and o.due_at is not null and (o.priority, o.account_id) > (h.priority, h.account_id)
         order by o.priority, o.account_id limit 1) n)
    select h.priority, h.account_id, count(*) over (partition by h.priority) as accounts from heads h
    order by h.priority, random()
  loop
    exit when wanted <= 0;
    share := greatest(1, ceil(p_max::numeric / head.accounts)::int);
    select coalesce(array_agg(s.id), '{}') into got from (
      select o.id from orders o
       where o.queue = p_queue and o.priority = head.priority and o.account_id = head.account_id and o.due_at <= p_now
         and (o.leased_until is null or o.leased_until < clock_timestamp())
       order by o.due_at limit least(share, wanted)
       for update skip locked) s;
    taken := taken || got;
    accounts := accounts || array_fill(head.account_id, array[cardinality(got)]);
    wanted := wanted - cardinality(got);
  end loop;
  if cardinality(taken) = 0 then return; end if;
  return query
    update orders o
       set version = o.version + 1, leased_by = p_node, lease_epoch = o.lease_epoch + 1,
           leased_until = clock_timestamp() + make_interval(secs => p_lease_seconds),
           due_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
      from unnest(accounts, taken) t(account_id, id)
     where o.account_id = t.account_id and o.id = t.id
    returning o.*;
end
$$;

-- Lengthens the leases that a node still holds; the rest come back, and the node drops them.
create function renew_leases(p_node uuid, p_lease_seconds double precision, p_account uuid[], p_order uuid[], p_epoch int[])
returns table (lost_order uuid)
language plpgsql as $$
begin
  return query
    with held as (
      select o.account_id, o.id from orders o
        join unnest(p_account, p_order, p_epoch) i(account_id, id, epoch) on o.account_id = i.account_id and o.id = i.id
       where o.leased_by = p_node and o.lease_epoch = i.epoch and o.leased_until > clock_timestamp()
       order by o.id for update of o),
    renewed as (
      update orders o
         set leased_until = clock_timestamp() + make_interval(secs => p_lease_seconds),
             due_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
        from held h where o.account_id = h.account_id and o.id = h.id
      returning o.id)
    select i.id from unnest(p_order) i(id) where i.id not in (select r.id from renewed r);
end
$$;

-- Leaves reports whose reference nobody has recorded yet. Comes back with those references that an order has by now. A row that
-- is no longer believed begins anew: the vendor may be giving the reference out again.
create function park_reports(p_route text[], p_reference text[], p_recipient text[], p_report jsonb[])
returns table (met_route text, met_reference text)
language sql as $$
  with met as (
    insert into provider_references (route, reference, parked, parked_recipient)
    select r.route, r.reference, bounded_json(jsonb_agg(r.report)), min(r.recipient)
      from unnest(p_route, p_reference, p_recipient, p_report) r(route, reference, recipient, report)
     group by 1, 2 order by 1, 2
    on conflict (route, reference) do update
      set parked = case when not believed(provider_references) then excluded.parked
                        when provider_references.order_id is null
                        then bounded_json(coalesce(provider_references.parked, '[]') || excluded.parked)
                        else provider_references.parked end,
          parked_recipient = case when believed(provider_references)
                        then coalesce(provider_references.parked_recipient, excluded.parked_recipient)
                        else excluded.parked_recipient end,
          order_id = case when believed(provider_references) then provider_references.order_id end,
          earlier = case when believed(provider_references) then provider_references.earlier end,
          apart = case when believed(provider_references) then provider_references.apart end,
          created_at = case when believed(provider_references) then provider_references.created_at else now() end
    returning route, reference, order_id)
  select met.route, met.reference from met where met.order_id is not null
$$;

-- Leaves reports that are not about the order which has their reference (p_order), for the next that gets it. Comes back with
-- those references that another order has by now.
create function park_reports_apart(p_route text[], p_reference text[], p_order uuid[], p_report jsonb[])
returns table (met_route text, met_reference text)
language sql as $$
  with given as (
    select r.route, r.reference, r.order_id, jsonb_agg(r.report) as reports
      from unnest(p_route, p_reference, p_order, p_report) r(route, reference, order_id, report) group by 1, 2, 3),
  held as (
    select p.route, p.reference from provider_references p
      join given g on p.route = g.route and p.reference = g.reference and p.order_id = g.order_id
     order by 1, 2 for update of p),
  left_there as (
    update provider_references p set apart = bounded_json(coalesce(p.apart, '[]') || g.reports)
      from given g join held h on h.route = g.route and h.reference = g.reference
     where p.route = g.route and p.reference = g.reference and p.order_id = g.order_id
    returning p.route, p.reference)
  select g.route, g.reference from given g
   where not exists (select 1 from left_there l where l.route = g.route and l.reference = g.reference)
$$;
