-- A receipt may name a message that has ended as failed, its money back, because its answer was lost: it is found by what it echoes.
create index orders_returned on orders (route, recipient) where ambiguous_at is not null and state = 'failed';
