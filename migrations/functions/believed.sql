-- False when the reference is so old that the vendor may have issued it again.
create or replace function believed(reference provider_references) returns boolean language sql stable as $$
  select reference.created_at > now() - interval '7 days'
$$;
