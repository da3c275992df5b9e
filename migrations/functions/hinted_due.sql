-- When an order is due after its holder lets go: at the holder's time, or earlier when a hint came in between.
create or replace function hinted_due(hinted boolean, hint_due_at timestamptz, said timestamptz) returns timestamptz language sql stable as $$
  select case when hinted then least(said, greatest(now(), hint_due_at)) else said end
$$;
