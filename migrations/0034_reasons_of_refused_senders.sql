-- Why the operator refused a sender, by network: {"glo": "name of a bank"}. The account that asked reads it. A network that is not `refused`
-- (any more) has none; what was refused before this column was there has its reason in the audit log alone.
alter table senders add column reasons jsonb not null default '{}';
