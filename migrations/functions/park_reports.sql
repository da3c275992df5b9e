-- Keeps reports about references that no order has yet. Returns the references that an order has by now.
-- `parked_recipient` is kept as its address_key, because the sweep compares it with recipients of orders.
create or replace function park_reports(p_route text[], p_reference text[], p_recipient text[], p_report jsonb[])
returns table (met_route text, met_reference text)
language sql as $$
  with met as (
    insert into provider_references (route, reference, parked, parked_recipient)
    select r.route, r.reference, bounded_json(jsonb_agg(r.report)), min(address_key(r.recipient))
      from unnest(p_route, p_reference, p_recipient, p_report) r(route, reference, recipient, report)
     group by 1, 2 order by 1, 2
    on conflict (route, reference) do update
      set parked = case when not believed(provider_references) then excluded.parked
                        when provider_references.order_id is null
                        then bounded_json(coalesce(provider_references.parked, '[]') || excluded.parked)
                        else provider_references.parked end,
          parked_recipient = case when believed(provider_references)
                        then coalesce(provider_references.parked_recipient, excluded.parked_recipient)
                        else excluded.parked_recipient end,
          order_id = case when believed(provider_references) then provider_references.order_id end,
          earlier = case when believed(provider_references) then provider_references.earlier end,
          apart = case when believed(provider_references) then provider_references.apart end,
          created_at = case when believed(provider_references) then provider_references.created_at else now() end
    returning route, reference, order_id)
  select met.route, met.reference from met where met.order_id is not null
$$;
