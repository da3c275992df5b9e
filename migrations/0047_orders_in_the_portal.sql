-- What the attempts to deliver the events of one order are found by.
create index webhook_attempts_by_event on webhook_attempts (event_id);

-- Filters of a list that a person has given a name, for themselves in one account. They go with the membership.
create table portal_views (
  id uuid primary key,
  account_id uuid not null,
  person_id uuid not null,
  list text not null check (list in ('orders')),
  name text not null check (length(name) between 1 and 60),
  filters jsonb not null, -- never what was searched for: numbers are not kept here
  created_at timestamptz not null,
  unique (account_id, person_id, list, name),
  foreign key (account_id, person_id) references account_members (account_id, person_id) on delete cascade
);
