-- The last 50 items of a list: a vendor that repeats itself forever must not make a row grow forever.
create or replace function bounded_json(list jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_array_length(list) <= 50 then list else jsonb_path_query_array(list, '$[last - 49 to last]') end
$$;
