-- Vendors' answers that a person must look at. They are few, and each node looks for those without a case every minute. The index is
-- built while the orders' rows can't be written: on millions of them that takes some seconds.

create index orders_in_doubt on orders (created_at) where facts ? 'doubt';

-- The kinds of cases are the program's own list (src/cases/case.ts).
alter table cases drop constraint if exists cases_kind_check;
