import type pg from "pg";
import { INSTALLATION_ID, RESTORE_MARK } from "./contents.ts";
import type { Connection } from "./database.ts";
import { applyFunctions } from "./functions.ts";
import { applyAgain, type Schema } from "./migrate.ts";
import { type CopiedTable, fillTable, name, openCopier } from "./table-copy.ts";

export interface Rebuilding {
  readonly connection: Connection;
  /** This build's. The migrations up to `level` make the tables that the rows fit, the others are applied to them afterwards. */
  readonly schema: Schema;
  readonly level: number;
  readonly installationId: string;
  /** Stands in `settings` from the commit on. */
  readonly mark: string | undefined;
  /** Fills every table, by `fill`. */
  readonly fillAll: (fill: Fill) => Promise<void>;
  readonly sequences: readonly { readonly sequence: string; readonly last: string; readonly isCalled: boolean }[];
}

/** Resolves with the rows, or with undefined when this version has no such table: it was somebody else's. */
export type Fill = (table: CopiedTable, data: AsyncIterable<Buffer>) => Promise<number | undefined>;

/**
 * Fills a bare database with tables and rows, all in one transaction: a crash in between leaves it bare. Triggers are switched
 * off meanwhile, as what they do was done when the rows were first written; foreign keys are put back, and so proven, at the end.
 * Neither needs a superuser.
 */
export async function rebuildDatabase(rebuilding: Rebuilding): Promise<void> {
  const {
    connection,
    schema: { migrations, functions },
    level,
  } = rebuilding;
  const client = await openCopier(connection);
  try {
    await client.query("begin");
    // A node that starts now waits until there is something to start on.
    await client.query("select pg_advisory_xact_lock(hashtext('afara.migrate'))");
    await applyAgain(
      client,
      migrations.filter(({ number }) => number <= level),
      functions,
    );
    const tables = await tableNames(client);
    for (const table of tables) await client.query(`alter table ${name(table)} disable trigger user`);
    const keys = await foreignKeys(client);
    for (const { table, key } of keys) await client.query(`alter table ${table} drop constraint ${name(key)}`);
    await client.query(`truncate ${tables.map(name).join(", ")}`);

    const there = new Set(await tableNames(client));
    await rebuilding.fillAll(async (table, data) => {
      if (!there.has(table.table)) {
        if (table.partition === undefined || !there.has(table.partition.of)) return undefined;
        const { of, bound } = table.partition;
        await client.query(`create table ${name(table.table)} partition of ${name(of)} ${bound}`);
        await client.query(`alter table ${name(table.table)} disable trigger user`);
        there.add(table.table);
      }
      // What fell outside every partition there may have one here.
      const { partition, columns } = table;
      return fillTable(client, { table: partition?.bound === "DEFAULT" ? partition.of : table.table, columns }, data);
    });

    const sequences = new Set(await namesOf(client, ["S"]));
    for (const { sequence, last, isCalled } of rebuilding.sequences)
      if (sequences.has(sequence))
        await client.query("select setval($1::regclass, $2::bigint, $3)", [name(sequence), last, isCalled]);
    for (const { table, key, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name(key)} ${definition}`);
    for (const table of there) await client.query(`alter table ${name(table)} enable trigger user`);
    await client.query("insert into settings (name, value) values ($1, $2) on conflict (name) do nothing", [
      INSTALLATION_ID,
      rebuilding.installationId,
    ]);
    // A backup may hold the mark of the restore that its own database came from.
    await client.query("delete from settings where name = $1", [RESTORE_MARK]);
    if (rebuilding.mark !== undefined)
      await client.query("insert into settings (name, value) values ($1, $2)", [RESTORE_MARK, rebuilding.mark]);
    await applyAgain(
      client,
      migrations.filter(({ number }) => number > level),
      functions,
    );
    await applyFunctions(client, functions);
    await client.query("commit");
    await client.query("analyze");
  } finally {
    await client.end();
  }
}

const tableNames = (client: pg.ClientBase) => namesOf(client, ["p", "r"]);

const namesOf = async (client: pg.ClientBase, kinds: readonly string[]): Promise<readonly string[]> =>
  (
    await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = any($1::text[]) order by relkind, relname",
      [kinds],
    )
  ).rows.map((row) => row.name);

/** Those of a partitioned table stand for those of its partitions. */
const foreignKeys = async (client: pg.ClientBase) =>
  (
    await client.query<{ table: string; key: string; definition: string }>(
      `select conrelid::regclass::text as table, conname as key, pg_get_constraintdef(oid) as definition
         from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`,
    )
  ).rows;
