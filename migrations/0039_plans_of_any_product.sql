-- Plans of every product that is sold by plans, as their vendors list them. Those of data had tables of their own (0014). Nodes of
-- the previous version use these until they are stopped, so they stay for now; the next version drops them. Until then each
-- version keeps its own copy up to date: a node fetches every list when it starts, and once an hour.

-- No list is taken in while they are copied.
lock table data_plan_lists in share mode;

-- When each provider's list of a product was last fetched whole.
create table catalogue_lists (
  product text not null,
  provider text not null,
  fetched_at timestamptz not null,
  primary key (product, provider)
);
insert into catalogue_lists (product, provider, fetched_at)
  select 'data', provider, fetched_at from data_plan_lists;

-- Rows stay for ever: an id is never given to another plan. A vendor's code that begins to mean another plan gets a new row.
create table catalogue_plans (
  plan_id text primary key,
  product text not null,
  provider text not null,
  code text not null, -- the vendor's own
  generation int not null, -- how many plans had the code before
  plan_group text not null, -- whose plan it is, by our code: a network
  name text not null, -- what the plan contains stands in here alone
  cost_kobo bigint not null check (cost_kobo > 0),
  added_at timestamptz not null,
  changed_at timestamptz not null,
  gone_at timestamptz, -- not on the vendor's list since
  unique (product, provider, code, generation)
);
create unique index catalogue_plans_sold on catalogue_plans (product, provider, code) where gone_at is null;
insert into catalogue_plans (plan_id, product, provider, code, generation, plan_group, name, cost_kobo, added_at, changed_at, gone_at)
  select plan_id, 'data', provider, code, generation, network, name, cost_kobo, added_at, changed_at, gone_at from data_plans;

-- What became of each plan, with its name and cost from then on.
create table catalogue_changes (
  plan_id text not null references catalogue_plans,
  at timestamptz not null,
  change text not null check (change in ('added', 'repriced', 'renamed', 'gone', 'back')),
  name text not null,
  cost_kobo bigint not null,
  primary key (plan_id, at, change)
);
insert into catalogue_changes (plan_id, at, change, name, cost_kobo)
  select plan_id, at, change, name, cost_kobo from data_plan_changes;
