-- The smallest UUIDv7 possible at a moment: 48 bits of Unix milliseconds, then zeros. Moments out of range (before 1970, after
-- 10889) count as the nearest in range.
create or replace function uuidv7_floor(moment timestamptz) returns uuid
language sql immutable strict parallel safe as $$
  select (lpad(to_hex(least(greatest((extract(epoch from moment) * 1000)::bigint, 0), 281474976710655)), 12, '0') || repeat('0', 20))::uuid
$$;
