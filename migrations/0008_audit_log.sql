-- Who did what to keys, plans, money, providers and senders. Each row holds the SHA-256 of its own content and of the row
-- before it, so that nothing in the middle can be changed or taken out unseen (./afara audit verify).
create table audit_log (
  number bigint primary key check (number > 0), -- without gaps: the place in the chain
  at timestamptz not null,                      -- to the millisecond, as hashed
  actor_kind text not null check (actor_kind in ('operator', 'key', 'system')),
  actor text,                                   -- the operator's name, the key's id
  action text not null,                         -- thing.act, e.g. wallet.credit
  subject text not null,                        -- id of what it was done to
  details jsonb not null,
  reason text,
  previous_hash bytea not null check (length(previous_hash) = 32), -- of the first row: zeros
  hash bytea not null unique check (length(hash) = 32),
  check ((actor is null) = (actor_kind = 'system'))
);
create index audit_log_by_subject on audit_log (subject, number);

create function refuse_audit_change() returns trigger
language plpgsql as $$
begin
  raise exception 'audit_log is append-only: % is refused', tg_op using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_audit_change();
