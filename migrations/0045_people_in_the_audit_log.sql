-- A signed-in person acts, too: the log names them by their ID.

alter table audit_log drop constraint audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check check (actor_kind in ('operator', 'key', 'person', 'system'));
