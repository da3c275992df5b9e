-- Data plans as their vendors list them, by the provider's name in the configuration.

-- When each provider's list was last fetched whole.
create table data_plan_lists (
  provider text primary key,
  fetched_at timestamptz not null
);

-- Rows stay for ever: an id is never given to another plan. A vendor's code that begins to mean another plan gets a new row.
create table data_plans (
  plan_id text primary key,
  provider text not null,
  code text not null, -- the vendor's own
  generation int not null, -- how many plans had the code before
  network text not null,
  name text not null,
  cost_kobo bigint not null check (cost_kobo > 0),
  size_mb int,
  validity_hours int,
  kind text,
  added_at timestamptz not null,
  changed_at timestamptz not null,
  gone_at timestamptz, -- not on the vendor's list since
  unique (provider, code, generation)
);
create unique index data_plans_sold on data_plans (provider, code) where gone_at is null;

-- What became of each plan, with its name and cost from then on.
create table data_plan_changes (
  plan_id text not null references data_plans,
  at timestamptz not null,
  change text not null check (change in ('added', 'repriced', 'renamed', 'gone', 'back')),
  name text not null,
  cost_kobo bigint not null,
  primary key (plan_id, at, change)
);
