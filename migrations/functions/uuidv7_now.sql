-- A UUIDv7 of now: PostgreSQL has uuidv7() only from version 18. Too slow for a row of every change, whose ids the node makes.
create or replace function uuidv7_now() returns uuid
language sql volatile as $$
  select (substr(uuidv7_floor(clock_timestamp())::text, 1, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid
$$;
