-- Moves orders that are due within a minute from later_at into the queue: see due_horizon.
create or replace function wake_orders(p_now timestamptz) returns void language sql as $$
  update orders o set due_at = o.later_at, later_at = null
    from (select account_id, id from orders where later_at <= p_now + interval '60 seconds'
           order by later_at limit 5000 for update skip locked) near
   where o.account_id = near.account_id and o.id = near.id
$$;
