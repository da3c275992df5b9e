-- When a purchase's vendor first called it failed. Until now not_found_at meant this as well, so one `not_found` and one failure
-- counted as either proof, and a purchase could be bought twice (docs/adr/0041). What it meant in a row can't be told, so it is
-- forgotten: each such vendor is asked once more.
alter table orders add column failed_at timestamptz;

update orders set not_found_at = null where not_found_at is not null and (due_at is not null or later_at is not null);

-- functions: 0cb459e956dbff71
