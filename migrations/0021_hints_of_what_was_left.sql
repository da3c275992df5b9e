-- As in 0013; new is that a word about an attempt which its order has left, or is to repeat, makes the order one that is asked
-- about: due alone, it would be sent again without a question.

-- A word that can't be trusted about an attempt: its order is asked about at once, whatever its state. 'held': somebody is at
-- it just now, and it is asked about right after. 'outdated': another attempt has taken its place; a person must look.
create or replace function hint_order(p_route text, p_reference text) returns text
language plpgsql as $$
declare
  named attempts;
  held boolean;
begin
  select * into named from attempts where route = p_route and reference = p_reference;
  if not found then return 'unknown'; end if;
  -- What the order would do next is decided on an older version by now.
  update orders o
     set version = o.version + 1, ambiguous_at = clock_timestamp(), route = named.route, attempt_reference = named.reference,
         pieces = coalesce(o.pieces, '[{"status": "unanswered"}]')
   where o.account_id = named.account_id and o.id = named.order_id and o.attempt = named.attempt
     and o.ambiguity = 'requery' and o.ended_at is null and o.ambiguous_at is null
     and (o.begun_at is null and o.pieces is null or o.pieces @> '[{"status": "unheard"}]');
  -- One statement: its lock decides whether the holder's record comes before or after.
  update orders o
     set hinted = coalesce(o.leased_until >= clock_timestamp(), false),
         due_at = case when o.leased_until >= clock_timestamp() then o.due_at else now() end,
         later_at = case when o.leased_until >= clock_timestamp() then o.later_at end
   where o.account_id = named.account_id and o.id = named.order_id and o.attempt = named.attempt
  returning o.hinted into held;
  if found then return case when held then 'held' else 'due' end; end if;
  insert into cases (account_id, order_id, kind, evidence)
  values (named.account_id, named.order_id, 'outdated_attempt',
          jsonb_build_object('route', named.route, 'reference', named.reference, 'attempt', named.attempt))
  on conflict do nothing;
  return 'outdated';
end
$$;
