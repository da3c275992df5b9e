-- Sums up about p_orders older orders of one account that usage_days lacks, by whole hours from the newest back. One statement, thus
-- one snapshot, reads the orders and drops those of usage_changes that are in them by then. Returns whether there was anything to do.
create or replace function fill_usage(p_orders int) returns boolean
language plpgsql as $$
declare
  fill usage_fills;
  low timestamptz;
begin
  if not pg_try_advisory_xact_lock(hashtext('afara.usage')) then return false; end if;
  select * into fill from usage_fills where due_at <= clock_timestamp() order by filled_from desc limit 1;
  if not found then return false; end if;
  -- An order's id is made within moments of its acceptance.
  select date_bin('1 hour', o.created_at, 'epoch') into low
    from orders o
   where o.account_id = fill.account_id and o.id < uuidv7_floor(fill.filled_from) and o.created_at < fill.filled_from
   order by o.id desc offset p_orders limit 1;
  low := coalesce(low, 'epoch');

  with gone as (
    delete from usage_changes c
     where c.account_id = fill.account_id and c.hour >= low and c.hour < fill.filled_from),
  marked as (
    update usage_fills f set filled_from = low where f.account_id = fill.account_id and low > 'epoch'),
  filled as (
    delete from usage_fills f where f.account_id = fill.account_id and low = 'epoch')
  insert into usage_days as d (account_id, mode, day, service, state, orders, price_kobo, held_kobo, charged_kobo, refunded_kobo)
  select fill.account_id, u.mode, u.day, u.service, u.state, u.orders, u.price_kobo, u.held_kobo, u.charged_kobo, u.refunded_kobo
    from sum_usage(fill.account_id, null, low, fill.filled_from) u
  on conflict (account_id, mode, day, service, state) do update
    set orders = d.orders + excluded.orders, price_kobo = d.price_kobo + excluded.price_kobo,
        held_kobo = d.held_kobo + excluded.held_kobo, charged_kobo = d.charged_kobo + excluded.charged_kobo,
        refunded_kobo = d.refunded_kobo + excluded.refunded_kobo;
  return true;
end
$$;
