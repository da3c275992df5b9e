-- A vendor's word about an attempt makes its order due for a requery, whatever its state: at once when p_known (the word is
-- certainly the vendor's) or when there was no recent hint. Nodes of an older build omit p_known.
-- An unproven word about a purchase that would be sent next makes it doubted or unanswered: its vendor is asked first. It leaves
-- not_found_at and failed_at as they are: whoever forges such words could otherwise hold the money for ever.
-- Returns 'due'; 'held': a node holds the order, and the requery follows; 'outdated': the order is at a later attempt, and a
-- case is opened; 'unknown': no such attempt.
create or replace function hint_order(p_route text, p_reference text, p_known boolean default false) returns text
language plpgsql as $$
declare
  named attempts;
  found_order orders;
  held boolean;
  ask_at timestamptz;
begin
  select * into named from attempts where route = p_route and reference = p_reference;
  if not found then return 'unknown'; end if;
  -- The new version makes the order's next step a new decision.
  if p_known then
    update orders o
       set version = o.version + 1, ambiguous_at = coalesce(o.ambiguous_at, clock_timestamp()), not_found_at = null, failed_at = null,
           route = named.route, attempt_reference = named.reference,
           pieces = case when o.pieces -> 0 ->> 'status' = 'taken' then o.pieces else '[{"status": "taken"}]' end
     where o.account_id = named.account_id and o.id = named.order_id and o.attempt = named.attempt
       and o.ambiguity = 'requery' and o.ended_at is null
       and (coalesce(o.pieces -> 0 ->> 'status', 'open') in ('open', 'unheard', 'unanswered', 'refused')
            or o.not_found_at is not null or o.failed_at is not null);
  else
    update orders o
       set version = o.version + 1, ambiguous_at = clock_timestamp(), route = named.route, attempt_reference = named.reference,
           pieces = coalesce(o.pieces, '[{"status": "unanswered"}]')
     where o.account_id = named.account_id and o.id = named.order_id and o.attempt = named.attempt
       and o.ambiguity = 'requery' and o.ended_at is null and o.ambiguous_at is null and o.failed_at is null
       and (o.begun_at is null and o.pieces is null or o.pieces @> '[{"status": "unheard"}]');
  end if;
  -- The row lock decides whether the holder's own change comes before or after.
  select * into found_order from orders o
   where o.account_id = named.account_id and o.id = named.order_id and o.attempt = named.attempt for update;
  if found then
    held := coalesce(found_order.leased_until >= clock_timestamp(), false);
    -- A requery is already pending.
    if not p_known and found_order.hint_due_at > now()
       and (found_order.hinted or not held and least(found_order.due_at, found_order.later_at) <= found_order.hint_due_at) then
      return case when held then 'held' else 'due' end;
    end if;
    ask_at := case when p_known then now()
                   when found_order.hinted or found_order.hint_due_at > now() then found_order.hint_due_at
                   else greatest(now(), found_order.hint_due_at + hint_wait(found_order.mode, found_order.created_at)) end;
    update orders o
       set hinted = held, hint_due_at = ask_at,
           due_at = case when held then o.due_at when d.due <= due_horizon() then d.due end,
           later_at = case when held then o.later_at when d.due > due_horizon() then d.due end
      from (select least(found_order.due_at, found_order.later_at, ask_at) as due) d
     where o.account_id = named.account_id and o.id = named.order_id;
    return case when held then 'held' else 'due' end;
  end if;
  insert into cases (account_id, order_id, kind, evidence)
  values (named.account_id, named.order_id, 'outdated_attempt',
          jsonb_build_object('route', named.route, 'reference', named.reference, 'attempt', named.attempt))
  on conflict do nothing;
  return 'outdated';
end
$$;
