-- Cases, of orders and of what is no order of ours; vendors compared with what was recorded; what is left of our money there.

alter table cases drop constraint cases_pkey;
alter table cases
  alter column account_id drop not null,
  alter column order_id drop not null,
  add column id uuid primary key default uuidv7_now(),
  -- What a comparison found, in words that are the same whenever it is found again; null where the order says it all.
  add column finding text,
  add check (finding is not null or order_id is not null);
-- However often, and by however many nodes, something is found: it is one case, and once closed it stays closed.
create unique index cases_once on cases (kind, coalesce(finding, order_id::text));
create index cases_by_order on cases (order_id) where closed_at is null;

-- Money that moved after the end: deliveries after the money had gone back, and what vendors took back.
create index transfers_after_end on transfers (decided_at) where kind in ('refund', 'loss', 'loss_undone');

-- Each attempt is compared once with what its vendor says of it. asked_at: a node is at it, or was without an answer.
alter table attempts add column asked_at timestamptz, add column reconciled_at timestamptz;
create index attempts_to_reconcile on attempts (route, begun_at) where reconciled_at is null;

-- The last look at what is left of our money at a vendor.
create table vendor_floats (
  provider text primary key,
  claimed_at timestamptz not null, -- a node looks, or has looked
  at timestamptz,                  -- of the last look that succeeded; what follows is its
  balance_kobo bigint,
  since timestamptz,               -- the look before
  spent_kobo bigint,               -- by our books since then, less what came back
  unexplained_kobo bigint,         -- what the balance moved besides
  undecided_kobo bigint not null default 0, -- at most, of purchases whose outcome was not recorded by then
  undecided_since timestamptz      -- when the oldest of them began
);
