-- Whoever asks about a purchase knows the phone that is told of it; the recipient of the order may be a meter, a smartcard … Any service
-- stores that phone as `phone` in the payload. Nodes of the version before ask for electricity's alone, and find them here too.
drop index orders_by_customer;
create index orders_by_customer on orders ((payload ->> 'phone'), id) where (payload ->> 'phone') is not null;
