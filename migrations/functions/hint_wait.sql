-- How long after a requery because of an unproven hint the next such hint causes none: a tenth of the order's age, from 30 s to
-- an hour. In test mode everything ends within half a minute.
create or replace function hint_wait(mode text, created_at timestamptz) returns interval language sql stable as $$
  select case mode when 'test' then interval '2 seconds'
         else least(greatest(interval '30 seconds', (now() - created_at) / 10), interval '1 hour') end
$$;
