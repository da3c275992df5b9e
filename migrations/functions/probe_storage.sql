-- Writes a page, to find out whether the database can still store anything.
create or replace function probe_storage(p_node uuid) returns void
language sql as $$
  delete from storage_probes where node = p_node;
  insert into storage_probes (node, filler) values (p_node, repeat('.', 7900));
$$;
