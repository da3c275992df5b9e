-- Due times beyond this wait in later_at: thousands of accounts with a message for next week must not slow down each claim.
-- Longer than a lease and than any short retry delay; wake_orders moves orders into the queue every second.
create or replace function due_horizon() returns timestamptz language sql stable as $$
  select now() + interval '90 seconds'
$$;
