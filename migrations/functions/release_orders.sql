-- Gives leases back before they run out: the orders are due again p_after_ms from now, by this clock, as a node may give orders back
-- because its own is wrong. Nothing else about them changes. Settings: see accept_orders. `is true` keeps the condition from
-- leading through the index of all due orders.
create or replace function release_orders(p_node uuid, p_account uuid[], p_order uuid[], p_epoch int[], p_after_ms double precision)
returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  update orders o
     set leased_by = null, leased_until = null, due_at = clock_timestamp() + p_after_ms * interval '1 millisecond'
    from (select o.account_id, o.id from orders o
            join unnest(p_account, p_order, p_epoch) i(account_id, id, epoch) on o.account_id = i.account_id and o.id = i.id
           where o.leased_by = p_node and o.lease_epoch = i.epoch and (o.due_at is not null) is true
           order by o.id for update of o) held
   where o.account_id = held.account_id and o.id = held.id;
end
$$;
