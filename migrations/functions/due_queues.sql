-- Which of these queues have an order that is due: one look, so that empty queues are not claimed from one by one.
-- Settings: see accept_orders.
create or replace function due_queues(p_queues text[], p_now timestamptz) returns setof text
language sql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select q.queue from unnest(p_queues) q(queue)
   where (select true from orders o where o.queue = q.queue and o.due_at <= p_now limit 1)
$$;
