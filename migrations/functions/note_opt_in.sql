-- Records when a person last opted in to each channel.
create or replace function note_opt_in(p_account uuid, p_mode text, p_person text, p_channels text[], p_at timestamptz) returns void
language sql as $$
  insert into opt_ins as o (account_id, mode, person, channel, at)
  select p_account, p_mode, p_person, c, p_at from unnest(p_channels) c
  on conflict (account_id, mode, person, channel) do update set at = greatest(o.at, excluded.at)
$$;
