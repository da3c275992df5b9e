-- Claims due orders of one queue for a node: higher priority first, accounts in turn within a priority. Skips rows locked by
-- another node. Settings: see accept_orders.
create or replace function claim_orders(p_node uuid, p_lease_seconds double precision, p_queue text, p_max int, p_now timestamptz)
returns setof orders
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
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
