-- Every purchase passes change_orders twice and accept_orders once, and planning their statements anew at each call took longer
-- than running them: custom plans never look cheaper than generic ones to a planner that does not count its own time. So they are
-- planned once a connection. A plan made while a table is small must serve when it is large, so only the ways that
-- are right at any size are allowed: a loop over the batch that looks each row up by its index.
alter function accept_orders set plan_cache_mode = force_generic_plan;
alter function accept_orders set enable_seqscan = off;
alter function accept_orders set enable_hashjoin = off;
alter function accept_orders set enable_mergejoin = off;
alter function change_orders set plan_cache_mode = force_generic_plan;
alter function change_orders set enable_seqscan = off;
alter function change_orders set enable_hashjoin = off;
alter function change_orders set enable_mergejoin = off;
