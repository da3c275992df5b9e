-- Whether the database can store what an acceptance needs, asked for by /readyz: a page that a table grows by, and a commit. One
-- row a node; it fills a page, so that each one takes new room.
create table storage_probes (
  node uuid primary key,
  filler text not null
);
alter table storage_probes alter column filler set storage plain;

create or replace function probe_storage(p_node uuid) returns void
language sql as $$
  delete from storage_probes where node = p_node;
  insert into storage_probes (node, filler) values (p_node, repeat('.', 7900));
$$;
