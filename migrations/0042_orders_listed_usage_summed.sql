-- Lists of one service or one status take their pages from here, however many other orders the account has: of each service and state
-- the newest, by its own stretch. The order of ids is another one than the primary key's, so that the planner never walks all orders of
-- the account by that instead.
create index orders_listed on orders (account_id, mode, service, state, id desc nulls last);
