-- Applies an opt-out or opt-in. `stop` ends a channel or `all`; `start` undoes every stop of the channel it came by; `resume`
-- undoes the stop of one channel and leaves the others stopped. The latest by its own time counts, in whatever order they
-- arrive; of equal times, the last to arrive.
create or replace function heed_person(p_account uuid, p_mode text, p_address text, p_act text, p_channel text, p_reason text, p_at timestamptz) returns void
language plpgsql as $$
declare
  names text[];
  name text;
  channels text[];
begin
  perform lock_people(p_account, p_mode);
  name := person_of(p_account, p_mode, p_address);
  names := array[p_address, name];
  if p_act = 'stop' then
    channels := array(
      select o.channel from opt_ins o
       where o.account_id = p_account and o.mode = p_mode and o.person = any (names) and o.at > p_at);
    if p_channel = any (channels) then return; end if;
    insert into suppressions as s (account_id, mode, person, channel, source, id, reason, created_at, phone)
    select p_account, p_mode, name, c, 'recipient', uuidv7_now(), p_reason, p_at, case when c = 'all' and name ~ '^[0-9]+$' then name end
      -- A STOP of all channels applies to those not resumed since.
      from unnest(case when p_channel = 'all' and cardinality(channels) > 0 then array['sms', 'chat'] else array[p_channel] end) c
     where c <> all (channels)
    on conflict (account_id, mode, person, channel, source) do update
      set created_at = excluded.created_at, reason = excluded.reason where s.created_at < excluded.created_at;
    return;
  end if;
  perform note_opt_in(p_account, p_mode, name, case p_act when 'start' then array['all', p_channel] else array[p_channel] end, p_at);
  if p_act = 'resume' then
    insert into suppressions as n (account_id, mode, person, channel, source, id, reason, created_at)
    select s.account_id, s.mode, s.person, o.channel, s.source, uuidv7_now(), s.reason, s.created_at
      from suppressions s cross join (values ('sms'), ('chat')) o(channel)
     where s.account_id = p_account and s.mode = p_mode and s.person = any (names) and s.source = 'recipient' and s.channel = 'all'
       and s.created_at <= p_at and o.channel <> p_channel
    on conflict (account_id, mode, person, channel, source) do update set created_at = greatest(n.created_at, excluded.created_at);
  end if;
  delete from suppressions s
   where s.account_id = p_account and s.mode = p_mode and s.person = any (names) and s.source = 'recipient'
     and s.channel in ('all', p_channel) and s.created_at <= p_at;
end
$$;
