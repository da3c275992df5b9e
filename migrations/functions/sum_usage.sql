-- The plain sums that usage_days keeps, from the orders of an account accepted from p_from up to, not including, p_before. p_mode null:
-- of both modes. An order's id is made within moments of its acceptance: an hour more on each side of the ids finds all of them.
create or replace function sum_usage(p_account uuid, p_mode text, p_from timestamptz, p_before timestamptz)
returns table (mode text, day date, service text, state text, orders bigint, price_kobo bigint, held_kobo bigint, charged_kobo bigint, refunded_kobo bigint)
language sql stable as $$
  select o.mode, (o.created_at at time zone 'Africa/Lagos')::date, o.service, o.state, count(*), sum(o.price_kobo)::bigint,
         sum(case when t.state = 'pending' then t.amount_kobo else 0 end)::bigint,
         sum(coalesce(t.posted_kobo, 0) - coalesce(r.amount_kobo, 0))::bigint,
         sum(coalesce(r.amount_kobo, 0))::bigint
    from orders o
    left join transfers t on t.account_id = p_account and t.id = o.id
                         and t.id between (select uuidv7_floor(p_from - interval '1 hour')) and (select uuidv7_floor(p_before + interval '1 hour'))
    left join transfers r on r.account_id = p_account and r.order_id = o.id and r.kind <> 'hold' and r.kind = 'refund'
                         and r.id between (select uuidv7_floor(p_from - interval '1 hour')) and (select uuidv7_floor(p_before + interval '1 hour'))
   where o.account_id = p_account and (p_mode is null or o.mode = p_mode) and o.created_at >= p_from and o.created_at < p_before
     and o.id between (select uuidv7_floor(p_from - interval '1 hour')) and (select uuidv7_floor(p_before + interval '1 hour'))
   group by 1, 2, 3, 4
$$;
