-- Adds up to p_max of usage_changes to usage_days, and returns how many. One node at a time. Changes of orders that are not filled in
-- yet are dropped: filling reads the orders as they are then.
create or replace function fold_usage(p_max int) returns bigint
language plpgsql as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('afara.usage')) then return 0; end if;
  with gone as (
    delete from usage_changes where ctid = any(array(select ctid from usage_changes limit p_max)) returning *),
  added as (
    insert into usage_days as d (account_id, mode, day, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo)
    select g.account_id, g.mode, (g.hour at time zone 'Africa/Lagos')::date, g.service, g.state,
           sum(g.orders), sum(g.price_kobo), sum(g.held_kobo), sum(g.charged_kobo), sum(g.refunded_kobo)
      from gone g left join usage_fills f on f.account_id = g.account_id
     where f.filled_from is null or g.hour >= f.filled_from
     group by 1, 2, 3, 4, 5
    on conflict (account_id, mode, day, service, state) do update
      set orders = d.orders + excluded.orders, price_kobo = d.price_kobo + excluded.price_kobo,
          held_kobo = d.held_kobo + excluded.held_kobo, charged_kobo = d.charged_kobo + excluded.charged_kobo,
          refunded_kobo = d.refunded_kobo + excluded.refunded_kobo)
  select count(*) into folded from gone;
  return folded;
end
$$;
