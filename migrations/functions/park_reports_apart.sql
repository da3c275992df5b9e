-- Keeps reports that do not match the order that has their reference (p_order), for the next order with that reference. Returns
-- the references that another order has by now.
create or replace function park_reports_apart(p_route text[], p_reference text[], p_order uuid[], p_report jsonb[])
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
