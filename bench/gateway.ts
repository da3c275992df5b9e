import pg from "pg";
import { embeddedConnection } from "../src/db/embedded.ts";
import { newUuid } from "../src/kernel/ids.ts";
import { makeTestAccount, readSecret } from "../src/testing/account.ts";
import { type Gateway, makeDataDir, startGateway, TEST_KEY } from "../src/testing/gateway.ts";
import { cpuMsOf, cpuMsOfTree, parentOf } from "./cpu.ts";
import type { Sent } from "./wrk.ts";

/** A gateway of its own, with a wallet that outlasts any load, and a look into its database. */
export interface Bench {
  readonly gateway: Gateway;
  readonly database: pg.Client;
  /** Keys of that many accounts of their own, each with such a wallet. */
  keys(accounts: number): Promise<readonly string[]>;
  /** What was used so far. */
  used(): Promise<Used>;
  stop(): Promise<void>;
}

export interface Used {
  readonly gatewayMs: number;
  /** All processes of the database. */
  readonly postgresMs: number;
  readonly walBytes: number;
}

/** ₦10,000,000,000. */
const WALLET_KOBO = 10n ** 12n;
const WALLET_NAIRA = "10000000000.00";

export async function startBench(environment: Readonly<Record<string, string>> = {}): Promise<Bench> {
  const data = await makeDataDir();
  const gateway = await startGateway({ dataDir: data.dir, environment });
  const database = new pg.Client(await embeddedConnection(data.dir));
  await database.connect();
  await database.query(
    `select post_transfer(id, $1, 'test', 'credit', 'funding', 'wallet', $2, 'load test', now()) from accounts`,
    [newUuid(), WALLET_KOBO],
  );
  const session = await database.query<{ pid: number }>("select pg_backend_pid() pid");
  const postmaster = parentOf(session.rows[0]!.pid);
  return {
    gateway,
    database,
    async keys(accounts) {
      const secret = await readSecret(data.dir);
      const keys: string[] = [];
      for (let made = 0; made < accounts; made++)
        keys.push((await makeTestAccount(database, { secret, plan: "scale", balance: WALLET_NAIRA })).key);
      return keys;
    },
    async used() {
      const { rows } = await database.query<{ bytes: string }>(
        "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') bytes",
      );
      return {
        gatewayMs: cpuMsOf(gateway.pid),
        postgresMs: cpuMsOfTree(postmaster),
        walBytes: Number(rows[0]!.bytes),
      };
    },
    async stop() {
      await database.end();
      await gateway.stop();
      await data.remove();
    },
  };
}

/** The same for both sides: one message a request, by each of the keys in turn. */
export const messages = (keys: readonly string[] = [TEST_KEY]): readonly Sent[] =>
  keys.map((key) => ({
    method: "POST",
    path: "/sms/send",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify({ to: "+2348031234567", message: "Your code is 4471" }),
  }));

/** What was used between two looks. */
export const usedSince = (before: Used, after: Used): Used => ({
  gatewayMs: after.gatewayMs - before.gatewayMs,
  postgresMs: after.postgresMs - before.postgresMs,
  walBytes: after.walBytes - before.walBytes,
});

/** Until no order waits to be sent: what one load left must not run into the next. */
export async function drained({ database }: Bench): Promise<void> {
  const waiting =
    "select exists (select 1 from orders where due_at is not null and state in ('queued', 'sending')) busy";
  while ((await database.query<{ busy: boolean }>(waiting)).rows[0]!.busy)
    await new Promise((resolve) => setTimeout(resolve, 500));
}
