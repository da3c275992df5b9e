import pg from "pg";
import type { Connection, Db } from "./database.ts";

/** The setting that links a database with its data directories. */
export const INSTALLATION_ID = "installation_id";

/** The mark of a restore that has committed but not finished. */
export const RESTORE_MARK = "restore_mark";

/** Afara's contents in a database, read before changing anything. */
export interface Contents {
  /** No gateway has completed a start on it: its ledger is empty. */
  readonly isEmpty: boolean;
  /** It has no tables at all. */
  readonly isBare: boolean;
  readonly installationId: string | undefined;
  readonly secretFingerprint: string | undefined;
  readonly restoreMark: string | undefined;
  /** The newest migration; 0 without any. */
  readonly level: number;
}

/** Reads a database's contents on a separate connection. */
export async function contentsOf(connection: Connection): Promise<Contents> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined); // a connection that breaks fails the question as well
  await client.connect();
  try {
    return await readContents(client as unknown as Db);
  } finally {
    await client.end();
  }
}

export async function readContents(db: Db): Promise<Contents> {
  const one = async <Value>(text: string): Promise<Value | undefined> =>
    Object.values((await db.query(text)).rows[0] ?? {})[0] as Value | undefined;
  const has = (table: string) => one<boolean>(`select to_regclass('${table}') is not null`);
  const bare = await one<boolean>(
    `select not exists (select 1 from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'S', 'v', 'm')
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))`,
  );
  const setting = async (name: string) =>
    (await has("settings")) ? one<string>(`select value from settings where name = '${name}'`) : undefined;
  const installationId = await setting(INSTALLATION_ID);
  const secretFingerprint = await setting("secret_fingerprint");
  const level = (await has("migrations")) ? Number((await one("select max(number) from migrations")) ?? 0) : 0;
  const accounts = (await has("accounts")) ? await one<boolean>("select exists (select 1 from accounts)") : false;
  return {
    isEmpty: installationId === undefined && secretFingerprint === undefined && accounts !== true,
    isBare: bare === true,
    installationId,
    secretFingerprint,
    restoreMark: await setting(RESTORE_MARK),
    level,
  };
}

/** A database's other users: connections other than this one, and nodes seen in the last ten seconds. */
export async function usersOf(connection: Connection): Promise<number> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  try {
    const count = async (text: string) => Number((await client.query<{ n: string }>(text)).rows[0]!.n);
    const connected = await count(
      `select count(*) as n from pg_stat_activity
        where backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()`,
    );
    const hasNodes = (await count("select count(to_regclass('nodes')) as n")) > 0;
    const living = "select count(*) as n from nodes where heartbeat_at > clock_timestamp() - interval '10 seconds'";
    return Math.max(connected, hasNodes ? await count(living) : 0);
  } finally {
    await client.end();
  }
}

/** Whether it ever had live data: a key, an order, or money. */
export async function hasLiveData(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ live: boolean }>(
    `select exists (select 1 from api_keys where mode = 'live') or exists (select 1 from orders where mode = 'live')
         or exists (select 1 from transfers where mode = 'live') as live`,
  );
  return rows[0]!.live;
}

/** The numbers of orders and accounts in a database. */
export async function countsIn(db: Db): Promise<{ readonly orders: bigint; readonly accounts: bigint }> {
  const { rows } = await db.query<{ orders: bigint; accounts: bigint }>(
    "select (select count(*) from orders) as orders, (select count(*) from accounts) as accounts",
  );
  return rows[0]!;
}

/** Removes all tables, sequences and functions of the schema, except those of extensions. */
export async function emptyDatabase(connection: Connection): Promise<void> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock(hashtext('afara.migrate'))");
    await client.query(DROP_ALL);
    await client.query("commit");
  } finally {
    await client.end();
  }
}

const DROP_ALL = `do $$
declare
  command text;
begin
  for command in
    select format('drop table if exists %s cascade', c.oid::regclass) from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  loop execute command; end loop;
  for command in
    select format('drop sequence if exists %s cascade', c.oid::regclass) from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S'
       and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  loop execute command; end loop;
  for command in
    select format('drop routine if exists %s cascade', p.oid::regprocedure) from pg_proc p
     where p.pronamespace = current_schema()::regnamespace
       and not exists (select 1 from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop execute command; end loop;
end $$`;

/** A database's size and server version. */
export async function sizeOf(db: Db): Promise<{ readonly bytes: number; readonly postgresql: string }> {
  const { rows } = await db.query<{ bytes: bigint; version: string }>(
    "select pg_database_size(current_database()) as bytes, current_setting('server_version') as version",
  );
  return { bytes: Number(rows[0]!.bytes), postgresql: rows[0]!.version };
}
