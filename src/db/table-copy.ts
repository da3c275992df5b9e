import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { Connection } from "./database.ts";

/** One table with rows of its own, or one partition: what is copied at a time. */
export interface CopiedTable {
  readonly table: string;
  /** Without generated columns and `NOT_COPIED_COLUMNS`. */
  readonly columns: readonly string[];
  readonly partition: { readonly of: string; readonly bound: string } | undefined;
}

/**
 * Rows about this database alone: running nodes, applied texts of functions (ADR 39), and how far the feed has got (ADR 42). And the
 * request log, which is kept for days only (ADR 49): a backup lives longer.
 */
const NOT_COPIED = ["nodes", "node_routes", "sql_functions", "feed_progress", "request_log"];
/** Transaction ids mean nothing on another server: a restored row takes the column's default, the transaction of the restore. */
const NOT_COPIED_COLUMNS = { events: ["xid"] };

/** Values in one form whatever the server's, the database's or the user's settings are, and as long as it takes. */
const SESSION = `
  set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 3; set bytea_output = 'hex';
  set timezone = 'UTC'; set client_encoding = 'UTF8'; set row_security = off;
  set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
  select set_config(name, '0', false) from pg_settings where name in ('transaction_timeout', 'idle_session_timeout')`;

/** A connection for copying. A connection that breaks fails what is under way on it. */
export async function openCopier(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  await client.query(SESSION);
  return client;
}

export interface Snapshot {
  readonly tables: readonly CopiedTable[];
  readonly serverVersion: string;
  /** The rows of one table as COPY's text, and how many there were once it has ended. */
  read(table: CopiedTable): { readonly data: () => AsyncIterable<Buffer>; readonly rows: () => number };
  /** Positions of sequences: read at the end, so that none is behind what was copied. */
  sequences(): Promise<readonly { readonly sequence: string; readonly last: string; readonly isCalled: boolean }[]>;
}

/**
 * All tables as of one moment. Each is read in a transaction of its own on the same exported snapshot: a lock is held for the
 * time of one table or partition only, so that making next month's partitions, which locks the whole table, waits for nobody.
 */
export async function withSnapshot<T>(
  connection: Connection,
  signal: AbortSignal,
  look: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const leader = await openCopier(connection);
  const reader = await openCopier(connection).catch(async (error: unknown) => {
    await leader.end();
    throw error;
  });
  // Cancels the running copy, even while it waits for a lock.
  const giveUp = () => void reader.end().catch(() => undefined);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await leader.query("begin isolation level repeatable read read only");
    const { rows } = await leader.query<{ id: string; version: string }>(
      "select pg_export_snapshot() as id, current_setting('server_version') as version",
    );
    const { id, version } = rows[0]!;
    const before = await appliedText(reader);
    const result = await look({
      tables: await tablesOf(leader),
      serverVersion: version,
      read: (table) => readTable(reader, id, table),
      sequences: () => sequencesOf(reader),
    });
    if ((await appliedText(reader)) !== before)
      throw new Error("A migration was applied while the backup was made, so it may lack rows: make it again.");
    return result;
  } finally {
    signal.removeEventListener("abort", giveUp);
    await Promise.allSettled([leader.end(), ...(signal.aborted ? [] : [reader.end()])]);
  }
}

const appliedText = async (client: pg.ClientBase): Promise<string> =>
  JSON.stringify((await client.query("select number from migrations order by number")).rows);

function readTable(client: pg.Client, snapshot: string, { table, columns }: CopiedTable) {
  const stream = copyTo(`copy ${name(table)} (${columns.map(name).join(", ")}) to stdout`);
  const lost = () => stream.destroy(new Error("the connection to the database broke"));
  return {
    async *data() {
      await client.query("begin isolation level repeatable read read only");
      await client.query(`set transaction snapshot ${client.escapeLiteral(snapshot)}`);
      client.once("end", lost);
      try {
        yield* client.query(stream) as AsyncIterable<Buffer>;
      } finally {
        client.off("end", lost);
      }
      await client.query("commit");
    },
    rows: () => stream.rowCount,
  };
}

/** Fills a table from COPY's text and resolves with the number of rows, once they are in. */
export async function fillTable(
  client: pg.ClientBase,
  { table, columns }: Pick<CopiedTable, "table" | "columns">,
  data: AsyncIterable<Buffer>,
): Promise<number> {
  const stream = client.query(copyFrom(`copy ${name(table)} (${columns.map(name).join(", ")}) from stdin`));
  await pipeline(data, stream);
  return stream.rowCount;
}

/** Quotes an identifier. */
export const name = (identifier: string): string => pg.escapeIdentifier(identifier);

async function tablesOf(client: pg.ClientBase): Promise<readonly CopiedTable[]> {
  const { rows } = await client.query<{ table: string; columns: string[]; of: string | null; bound: string | null }>(
    `select c.relname as table, p.relname as of, pg_get_expr(c.relpartbound, c.oid) as bound,
            array(select a.attname::text from pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                     and not coalesce($2::jsonb -> coalesce(p.relname, c.relname)::text ? a.attname::text, false)
                   order by a.attnum) as columns
       from pg_class c
       left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
       left join pg_class p on p.oid = i.inhparent
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and coalesce(p.relname, c.relname) <> all($1::text[])
        and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      order by c.relname`,
    [NOT_COPIED, JSON.stringify(NOT_COPIED_COLUMNS)],
  );
  return rows.map(({ table, columns, of, bound }) => ({
    table,
    columns,
    partition: of !== null && bound !== null ? { of, bound } : undefined,
  }));
}

async function sequencesOf(client: pg.ClientBase) {
  const { rows } = await client.query<{ sequence: string }>(
    "select relname as sequence from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1",
  );
  const found = [];
  for (const { sequence } of rows) {
    const { rows: at } = await client.query<{ last: string; is_called: boolean }>(
      `select last_value::text as last, is_called from ${name(sequence)}`,
    );
    found.push({ sequence, last: at[0]!.last, isCalled: at[0]!.is_called });
  }
  return found;
}
