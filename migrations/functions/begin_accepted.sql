-- Begins orders in the commit that accepts them, which spares a purchase one of its three commits. Only orders that
-- accept_orders has just stored with this node's lease are begun, and only if no other attempt has the reference. Returns the
-- ids of the orders begun, also when repeated after a lost answer. Every later change goes through change_orders.
--
-- p_accepted: makes the planner call accept_orders first.
-- b_state: the state after the begin.
-- Settings: see accept_orders; `b.n between …`: see change_orders.
create or replace function begin_accepted(
  p_accepted bigint, p_node uuid, p_low uuid, p_high uuid,
  b_account uuid[], b_order uuid[], b_state text[], b_route text[], b_reference text[], b_begun timestamptz[], b_pieces jsonb[]
) returns setof uuid
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  -- In one statement, so that an order is begun exactly when its reference is recorded.
  with fresh as (
    select b.*, o.state as previous
      from unnest(b_account, b_order, b_state, b_route, b_reference, b_begun, b_pieces)
           with ordinality b(account_id, order_id, state, route, reference, begun_at, pieces, n)
      join orders o on o.account_id = b.account_id and o.id = b.order_id and o.id between p_low and p_high
     where b.n between 1 and cardinality(b_order) and o.version = 1 and o.leased_by = p_node),
  named as (
    insert into attempts (route, reference, account_id, order_id, attempt, begun_at)
    select f.route, f.reference, f.account_id, f.order_id, 1, f.begun_at from fresh f where f.reference is not null order by 1, 2
    on conflict do nothing
    returning order_id),
  begun as (
    update orders o
       set version = 2, state = f.state, attempt = 1, route = f.route, attempt_reference = f.reference, begun_at = f.begun_at,
           pieces = f.pieces, updated_at = f.begun_at
      from fresh f
     where o.account_id = f.account_id and o.id = f.order_id and o.id between p_low and p_high
       and (f.reference is null or f.order_id in (select n.order_id from named n))
    returning o.account_id, o.id, o.mode, f.state, f.previous, f.begun_at, o.service, o.created_at, o.price_kobo),
  counted as (
    insert into usage_changes (account_id, mode, hour, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo)
    select b.account_id, b.mode, date_bin('1 hour', b.created_at, 'epoch'), b.service, s.state,
           sum(s.n), sum(s.n * b.price_kobo), sum(s.n * b.price_kobo), 0, 0
      from begun b cross join lateral (values (b.previous, -1), (b.state, 1)) s(state, n)
     where b.state <> b.previous
     group by 1, 2, 3, 4, 5)
  insert into events (account_id, order_id, version, mode, status, previous_status, at)
  select b.account_id, b.id, 2, b.mode, b.state, b.previous, b.begun_at from begun b;

  return query
    select o.id
      from unnest(b_account, b_order, b_reference, b_begun) with ordinality b(account_id, order_id, reference, begun_at, n)
      join orders o on o.account_id = b.account_id and o.id = b.order_id and o.id between p_low and p_high
     where b.n between 1 and cardinality(b_order) and o.version = 2 and o.leased_by = p_node and o.begun_at = b.begun_at and o.attempt_reference is not distinct from b.reference;
end
$$;
