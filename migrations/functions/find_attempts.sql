-- The attempts with these references of ours. Settings: see accept_orders.
create or replace function find_attempts(p_route text[], p_reference text[]) returns setof attempts
language sql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select a.*
    from unnest(p_route, p_reference) i(route, reference)
    join attempts a on a.route = i.route and a.reference = i.reference
$$;
