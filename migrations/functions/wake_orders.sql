-- Moves orders that are due within a minute from later_at into the queue: see due_horizon. Settings: see accept_orders.
create or replace function wake_orders(p_now timestamptz) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  accounts uuid[];
  ids uuid[];
begin
  select array_agg(near.account_id), array_agg(near.id) into accounts, ids from (
    select account_id, id from orders where later_at <= p_now + interval '60 seconds'
     order by later_at limit 5000 for update skip locked) near;
  if ids is null then return; end if;
  update orders o set due_at = o.later_at, later_at = null
    from unnest(accounts, ids) near(account_id, id)
   where o.account_id = near.account_id and o.id = near.id;
end
$$;
