-- From here on functions are defined in migrations/functions, one file each, and applied after the last migration when their
-- text differs from the one recorded here (ADR 39). A restore applies all of them anew, so a backup leaves this table out.
create table sql_functions (
  name text primary key,
  sha256 text not null,
  applied_at timestamptz not null default now()
);

-- functions: 3e83f7ef32188384
