-- Extends the leases that a node still holds; returns the lost ones, which the node then drops.
-- Settings: see accept_orders.
create or replace function renew_leases(p_node uuid, p_lease_seconds double precision, p_account uuid[], p_order uuid[], p_epoch int[])
returns table (lost_order uuid)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
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
