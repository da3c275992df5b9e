-- Updates that write their row alone. An update that changes an indexed column, or finds no room beside its row, writes all of the
-- row's index entries again.

-- What this index holds is decided as it is made, so it may be found by its creation; a hold's decision is then in no index.
drop index transfers_after_end;
create index transfers_after_end on transfers (created_at) where kind in ('refund', 'loss', 'loss_undone');

-- Orders and holds are updated in batches as they were inserted, so each needs room for a second one on its page: the first is still
-- seen until the batch is committed. ensure_partitions gives a new partition the settings of the default one.
do $$
declare
  child regclass;
begin
  for child in select inhrelid::regclass from pg_inherits where inhparent in ('orders'::regclass, 'transfers'::regclass) loop
    execute format('alter table %s set (fillfactor = 50)', child);
  end loop;
end
$$;

-- functions: f2ac3438a777084d
