-- The smallest position in the feed that an event placed at this moment can have: milliseconds since 1970, with room for a million
-- events in each.
create or replace function feed_position(moment timestamptz) returns bigint
language sql immutable strict parallel safe as $$
  select (extract(epoch from moment) * 1000)::bigint << 20
$$;
