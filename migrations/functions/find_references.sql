-- Where these references of vendors point to: those that have an order, and are not so old that the vendor may have given them out
-- again (see believed). Settings: see accept_orders; a plan made for an empty table would go through its BRIN index.
create or replace function find_references(p_route text[], p_reference text[]) returns setof provider_references
language sql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select r.*
    from unnest(p_route, p_reference) i(route, reference)
    join provider_references r on r.route = i.route and r.reference = i.reference
   where r.order_id is not null and r.created_at > now() - interval '7 days'
$$;
