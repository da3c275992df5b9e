import type pg from "pg";

/**
 * The whole schema as text, for reading: tables with columns, constraints, indexes and triggers, sequences, and the functions'
 * signatures. Read from the catalogue, always in the same order; without partitions, which are like their table.
 */
export async function schemaText(client: pg.ClientBase): Promise<string> {
  const { rows: tables } = await client.query<TableRow>(TABLES);
  const { rows: sequences } = await client.query<{ name: string }>(SEQUENCES);
  const { rows: functions } = await client.query<FunctionRow>(FUNCTIONS);
  return [
    "-- The whole schema, for reading. Nothing is applied from this file: `npm run schema` renews it (ADR 39).",
    ...tables.map(tableText),
    ["-- Sequences that no column owns", ...sequences.map(({ name }) => `create sequence ${name};`)].join("\n"),
    [
      "-- Functions: migrations/functions/<name>.sql",
      ...functions.map(({ name, parameters, result }) => `-- ${name}(${parameters}) returns ${result}`),
    ].join("\n"),
  ]
    .join("\n\n")
    .concat("\n");
}

interface TableRow {
  name: string;
  partitioned_by: string | null;
  columns: string[];
  constraints: string[];
  indexes: string[];
  triggers: string[];
}

interface FunctionRow {
  name: string;
  parameters: string;
  result: string;
}

const tableText = ({ name, partitioned_by, columns, constraints, indexes, triggers }: TableRow): string => {
  const inside = [...columns, ...constraints].map((line) => `  ${line}`).join(",\n");
  const partitions = partitioned_by === null ? "" : ` partition by ${partitioned_by}`;
  return [
    `create table ${name} (\n${inside}\n)${partitions};`,
    ...[...indexes, ...triggers].map((line) => `${line};`),
  ].join("\n");
};

/** Tables and what belongs to them; an index that a constraint made is that constraint's. */
const TABLES = `
  select c.relname as name, pg_get_partkeydef(c.oid) as partitioned_by,
         array(select format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
                             case when a.attnotnull then ' not null' else '' end,
                             case when a.attidentity <> '' then ' generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity'
                                  when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                                  when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end)
                 from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
         array(select format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
                 from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')
                order by position(k.contype::text in 'pufcx'), k.conname) as constraints,
         array(select replace(pg_get_indexdef(i.indexrelid), current_schema() || '.', '')
                 from pg_index i join pg_class x on x.oid = i.indexrelid
                where i.indrelid = c.oid
                  and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)
                order by x.relname) as indexes,
         array(select replace(pg_get_triggerdef(t.oid), current_schema() || '.', '')
                 from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal order by t.tgname) as triggers
    from pg_class c
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   order by c.relname collate "C"`;

const SEQUENCES = `
  select c.relname as name from pg_class c
   where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
     and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0)
   order by c.relname collate "C"`;

const FUNCTIONS = `
  select p.proname as name, pg_get_function_arguments(p.oid) as parameters, pg_get_function_result(p.oid) as result
    from pg_proc p where p.pronamespace = current_schema()::regnamespace order by p.proname collate "C", p.oid`;
