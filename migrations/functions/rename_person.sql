-- Moves a person's opt-outs, opt-ins and addresses to another name. A network's do-not-disturb belongs to the line and stays.
create or replace function rename_person(p_account uuid, p_mode text, p_old text, p_new text, p_has_phone boolean) returns void
language plpgsql as $$
begin
  -- For the same opt-out under both names the later time counts.
  update suppressions s set created_at = greatest(s.created_at, o.created_at) from suppressions o
   where s.account_id = p_account and s.mode = p_mode and s.person = p_new and s.source <> 'network'
     and o.account_id = p_account and o.mode = p_mode and o.person = p_old and o.channel = s.channel and o.source = s.source;
  delete from suppressions s
   where s.account_id = p_account and s.mode = p_mode and s.person = p_old and s.source <> 'network'
     and exists (select from suppressions o
                  where o.account_id = p_account and o.mode = p_mode and o.person = p_new and o.channel = s.channel and o.source = s.source);
  update suppressions s set person = p_new, phone = case when s.channel = 'all' and p_new ~ '^[0-9]+$' then p_new end
   where s.account_id = p_account and s.mode = p_mode and s.person = p_old and s.source <> 'network';
  perform note_opt_in(p_account, p_mode, p_new, array[o.channel], o.at) from opt_ins o
   where o.account_id = p_account and o.mode = p_mode and o.person = p_old;
  delete from opt_ins o where o.account_id = p_account and o.mode = p_mode and o.person = p_old;
  update people p set person = p_new, former = p.former or (p_has_phone and p.address ~ '^[0-9]+$')
   where p.account_id = p_account and p.mode = p_mode and p.person = p_old;
end
$$;
