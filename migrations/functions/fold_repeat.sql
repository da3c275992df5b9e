-- Trigger: a change that repeats an earlier one (an order that its vendor throttles for hours) is counted in the earlier entry,
-- whose version is `repeat_of`. Events published to subscribers are never folded.
create or replace function fold_repeat() returns trigger
language plpgsql as $$
declare
  first_version int := (new.detail->>'repeat_of')::int;
  news jsonb := new.detail - 'repeat_of';
begin
  if news = '{}' then
    perform 1 from events e
      where e.account_id = new.account_id and e.order_id = new.order_id and e.version = first_version;
  else
    update events e set detail = coalesce(e.detail, '{}') || news
     where e.account_id = new.account_id and e.order_id = new.order_id and e.version = first_version;
  end if;
  if found then return null; end if;
  return new;
end
$$;
