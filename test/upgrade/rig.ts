import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { after } from "node:test";
import pg from "pg";
import { SERVICES } from "../../src/app/services.ts";
import { openDatabase } from "../../src/db/database.ts";
import { encodeId, type Uuid } from "../../src/kernel/ids.ts";
import { invariant } from "../../src/kernel/result.ts";
import { VendorClient } from "../../src/simulators/vendors/client.ts";
import { makeCli } from "../../src/testing/cli.ts";
import { makeEmptyDatabases, SILENT, urlOf } from "../../src/testing/database.ts";
import { endWithFile } from "../../src/testing/end-with-file.ts";
import { type Answer, type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { PLACE_OF_RUN } from "../../src/testing/run-environment.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { loadFixture, withAllVendors } from "./fixture.ts";

/** A data directory of the build before the rebuilding, upgraded to this one: see fixtures/README.md. */
export const data = await makeDataDir();
const opened: { close(): Promise<void> }[] = [];
let gateway: Gateway | undefined;
after(async () => {
  await gateway?.stop();
  for (const db of opened) await db.close();
  await data.remove();
});
export const databases = await makeEmptyDatabases();
export const connection = await databases.make();
await loadFixture(connection, data.dir);
const config = await writeTestConfig(data.dir, withAllVendors);
export const environment = { DATABASE_URL: urlOf(connection), AFARA_CONFIG: config.path, AFARA_DATA_DIR: data.dir };
export const afara = makeCli({ ...environment, USER: "ada" });
export const db = openDatabase({ connection, connections: 2, connectTimeoutMs: 5_000, log: SILENT });
opened.push(db);
export const vendors = new VendorClient(config.vendorsControlPort, fetch);

export interface Row {
  readonly id: Uuid;
  readonly account: Uuid;
  readonly service: string;
  readonly state: string;
  readonly recipient: string;
  readonly ended: boolean;
  readonly price: bigint;
}
export const ordersNow = async (): Promise<readonly Row[]> =>
  (
    await db.query<Row & Record<string, unknown>>(
      `select id, account_id as account, service, state, recipient, ended_at is not null as ended, price_kobo as price
         from orders order by id`,
    )
  ).rows;

/** Whether an order in this state has its price held. */
export const holds = ({ service, state }: Row): boolean =>
  SERVICES.find((definition) => definition.service === service)?.table.states[state]?.hold === "pending";
export const sumOf = (orders: readonly Row[]): bigint => orders.reduce((sum, { price }) => sum + price, 0n);

interface Wallet {
  readonly account: Uuid;
  readonly balance: bigint;
  readonly held: bigint;
}
export const walletsNow = async (): Promise<readonly Wallet[]> =>
  (
    await db.query<Wallet & Record<string, unknown>>(
      `select account_id as account, (credits_posted - debits_posted)::bigint as balance, debits_pending as held
         from ledger_accounts where kind = 'wallet' and mode = 'test' order by 1`,
    )
  ).rows;

/** Parts of the fixture that no test may lose: their number by kind. */
export const KEPT = [
  "order_keys",
  "suppressions",
  "senders",
  "inbound_messages",
  "order_groups",
  "subscriptions",
  "api_keys",
  "topups",
  "chat_inbound",
  "audit_log",
  "data_plans",
  "cases",
];
export const rowsOf = async (tables: readonly string[]) => {
  const counts: [string, number][] = [];
  for (const table of tables) {
    const { rows } = await db.query<{ rows: number }>(`select count(*)::int as rows from ${table}`);
    counts.push([table, rows[0]?.rows ?? 0]);
  }
  return counts;
};

/** Each transfer with its amount: later ones may be added, and a hold may be settled. */
export const transfersNow = async () =>
  (
    await db.query<{ row: string }>("select concat_ws(' ', account_id, id, amount_kobo) as row from transfers")
  ).rows.map(({ row }) => row);

interface DefinedFunction {
  readonly name: string;
  readonly text: string;
}
export const functionsOf = async (of: pg.ClientConfig): Promise<readonly DefinedFunction[]> => {
  const client = new pg.Client(of);
  await client.connect();
  try {
    const { rows } = await client.query<DefinedFunction>(
      `select proname as name, pg_get_functiondef(oid) as text from pg_proc
        where pronamespace = 'public'::regnamespace and prokind in ('f', 'p') order by 1, 2`,
    );
    return rows;
  } finally {
    await client.end();
  }
};

export const migrationsNow = async (): Promise<readonly number[]> =>
  (await db.query<{ number: number }>("select number from migrations order by 1")).rows.map(({ number }) => number);

/** Starts the program of this build on what the build before left. */
export async function startUpgrade(): Promise<void> {
  gateway = await startGateway({ dataDir: data.dir, environment });
}

export const one = async <Value>(sql: string, values: readonly unknown[] = []): Promise<Value> =>
  (await db.query<{ value: Value }>(sql, values)).rows[0]?.value as Value;

export const before = await ordersNow();
export const migrationsBefore = await migrationsNow();
export const transfersBefore = await transfersNow();
export const keptBefore = await rowsOf(KEPT);
export const walletsBefore = await walletsNow();
export const local = await one<Uuid>("select value from settings where name = 'local_account'");
const keyed = (key: string) => one<Uuid>("select target_id as value from order_keys where key = $1", [key]);
export const keyBefore = { live: await keyed("sms-1"), old: await keyed("sms-old") };
/** Purchases that a vendor was asked to make, by our reference, before the upgrade and without an end. */
export const openAttempts = (
  await db.query<{ reference: string; recipient: string }>(
    `select a.reference, o.recipient from attempts a join orders o on o.account_id = a.account_id and o.id = a.order_id
      where o.ended_at is null and o.ambiguity = 'requery'`,
  )
).rows;
export const pendingNotices = (
  await db.query<{ order: Uuid; message: Uuid }>(
    `select order_id as "order", message_id as message from notices where state = 'pending'`,
  )
).rows;

/** Starts the program of this build, and kills it while it commits this migration. */
export async function killUpgradeIn(migration: number): Promise<void> {
  const holder = new pg.Client(connection);
  await holder.connect();
  try {
    // The program has made the migration's tables, and waits for this row.
    await holder.query("begin");
    await holder.query("insert into migrations (number, name) values ($1, 'held')", [migration]);
    const child = spawn(process.execPath, [join(import.meta.dirname, "../../src/main.ts")], {
      env: { ...PLACE_OF_RUN, ...environment, AFARA_PORT: "0" },
      stdio: "ignore",
    });
    endWithFile(child);
    await waitFor("the upgrade waits for the lock", () =>
      one<boolean>(
        "select exists (select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as value",
      ),
    );
    child.kill("SIGKILL");
    await once(child, "exit");
  } finally {
    await holder.end();
  }
  await waitFor("the end of the killed program's session", () =>
    one<boolean>(
      `select not exists (select 1 from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle') as value`,
    ),
  );
}

/** A call of the upgraded gateway with the key of before. */
export const call = <Body>(...request: Parameters<Gateway["call"]>): Promise<Answer<Body>> => {
  invariant(gateway, "it runs from its first start on");
  return gateway.call<Body>(...request);
};
export const get = async <Body>(path: string): Promise<Body> => {
  const answer = await call<Body>("GET", path);
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}
/** All items of a list, page by page. */
export const all = async <Item>(path: string): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for (let after = ""; ; ) {
    const page = await get<Page<Item>>(`${path}${path.includes("?") ? "&" : "?"}limit=50${after}`);
    items.push(...page.data);
    if (!page.has_more) return items;
    after = `&after=${encodeURIComponent(page.next_cursor ?? "")}`;
  }
};

/** The order id as subscribers know it. */
export const nameOf = ({ service, id }: Pick<Row, "service" | "id">): string =>
  encodeId(service === "sms" || service === "chat" ? "msg" : "pur", id);
