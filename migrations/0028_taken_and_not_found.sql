-- A callback that is signed is the vendor's own word that it has the attempt: recorded with the attempt, so that "not found" proves
-- nothing from then on (docs/adr/0022). All else is as in 0021, whose function stays for nodes of the version before.

-- A word about an attempt: its order is asked about at once, whatever its state. p_known: the word is the vendor's for certain.
-- 'held': somebody is at it just now, and it is asked about right after. 'outdated': another attempt has taken its place; a
-- person must look.
create function hint_order(p_route text, p_reference text, p_known boolean) returns text
language plpgsql as $$
declare
  named attempts;
  held boolean;
begin
  select * into named from attempts where route = p_route and reference = p_reference;
  if not found then return 'unknown'; end if;
  -- What the order would do next is decided on an older version by now.
  if p_known then
    update orders o
       set version = o.version + 1, ambiguous_at = coalesce(o.ambiguous_at, clock_timestamp()), not_found_at = null,
           route = named.route, attempt_reference = named.reference, pieces = '[{"status": "taken"}]'
     where o.account_id = named.account_id and o.id = named.order_id and o.attempt = named.attempt
       and o.ambiguity = 'requery' and o.ended_at is null
       and coalesce(o.pieces -> 0 ->> 'status', 'open') in ('open', 'unheard', 'unanswered');
  else
    update orders o
       set version = o.version + 1, ambiguous_at = clock_timestamp(), route = named.route, attempt_reference = named.reference,
           pieces = coalesce(o.pieces, '[{"status": "unanswered"}]')
     where o.account_id = named.account_id and o.id = named.order_id and o.attempt = named.attempt
       and o.ambiguity = 'requery' and o.ended_at is null and o.ambiguous_at is null
       and (o.begun_at is null and o.pieces is null or o.pieces @> '[{"status": "unheard"}]');
  end if;
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

-- The kinds of cases are the program's own list (src/cases/case.ts): a new one, as `taken_not_found` is, takes no change of the table.
alter table cases drop constraint if exists cases_kind_check;
