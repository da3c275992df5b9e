import autocannon from "autocannon";
import pg from "pg";
import { embeddedConnection } from "../src/db/embedded.ts";
import { newUuid } from "../src/kernel/ids.ts";
import { type Gateway, makeDataDir, startGateway, TEST_KEY } from "../src/testing/gateway.ts";

/** A gateway of its own, with a wallet that outlasts any load, and a look into its database. */
export interface Bench {
  readonly gateway: Gateway;
  readonly database: pg.Client;
  stop(): Promise<void>;
}

/** ₦10,000,000,000. */
const WALLET_KOBO = 10n ** 12n;

export async function startBench(environment: Readonly<Record<string, string>> = {}): Promise<Bench> {
  const data = await makeDataDir();
  const gateway = await startGateway({ dataDir: data.dir, environment });
  const database = new pg.Client(await embeddedConnection(data.dir));
  await database.connect();
  await database.query(
    `select post_transfer(id, $1, 'test', 'credit', 'funding', 'wallet', $2, 'load test', now()) from accounts`,
    [newUuid(), WALLET_KOBO],
  );
  return {
    gateway,
    database,
    async stop() {
      await database.end();
      await gateway.stop();
      await data.remove();
    },
  };
}

export const BODY = JSON.stringify({ to: "+2348031234567", message: "Your code is 4471" });

/** The same load for both sides: one message a request, over connections that are kept. */
export const load = (base: string, connections: number, seconds: number) =>
  autocannon({
    url: `${base}/sms/send`,
    method: "POST",
    connections,
    duration: seconds,
    headers: { "content-type": "application/json", "x-api-key": TEST_KEY },
    body: BODY,
  });
