-- Trigger: the audit log is append-only.
create or replace function refuse_audit_change() returns trigger
language plpgsql as $$
begin
  raise exception 'audit_log is append-only: % is refused', tg_op using errcode = 'insufficient_privilege';
end
$$;
