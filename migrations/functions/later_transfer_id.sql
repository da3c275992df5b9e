-- The id of an order's refund, loss or loss_undone: in the order's partition (its time), and the same at every repeat, so that
-- each happens once.
create or replace function later_transfer_id(p_order uuid, p_kind text) returns uuid
language sql immutable as $$
  select (left(p_order::text, 15) || substr(md5(p_order::text || p_kind)::uuid::text, 16))::uuid
$$;
