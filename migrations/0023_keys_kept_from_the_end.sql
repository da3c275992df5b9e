-- An idempotency key is kept by the end of what it named, not by its own age. A key is looked at when it may first be over: the
-- shortest time that any key is kept, and from then on at the moment that its order's end (or that it is still open) sets.
alter table order_keys add column review_at timestamptz not null default now() + interval '72 hours';
create index order_keys_by_review on order_keys (review_at) where kind = 'key';
