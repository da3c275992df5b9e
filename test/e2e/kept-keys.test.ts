import assert from "node:assert/strict";
import { after, test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/** Idempotency keys over the starts of a gateway: each start looks through those whose time may be over. */

const data = await makeDataDir();
const ends: (() => Promise<unknown>)[] = [() => data.remove()];
after(async () => {
  for (const end of ends.reverse()) await end();
});
const database = await makeTestDatabase();
const db = database.open();
const config = await writeTestConfig(data.dir);
const environment = { DATABASE_URL: database.url, AFARA_CONFIG: config.path };

interface Purchase {
  readonly id: string;
  readonly status: string;
}

test("after a start, a purchase that was open for 130 days and has just ended is answered to its key and not bought again; 91 days later its key is free", async () => {
  const first = await startGateway({ dataDir: data.dir, environment });
  const body = { to: "08031234567", amount: 500, network: "mtn", allow_duplicate: true };
  const headers = { "idempotency-key": "shop-4471" };
  const buy = (gateway: typeof first) => gateway.call<Purchase>("POST", "/airtime/topup", body, headers);
  const ended = (gateway: typeof first, { id }: Purchase) =>
    waitFor("the purchase's end", async () => {
      const { body } = await gateway.call<Purchase>("GET", `/airtime/status/${id}`);
      return body.status === "successful";
    });
  const bought = await buy(first);
  await ended(first, bought.body);
  await first.stop();

  const age = (endedDays: number) =>
    Promise.all([
      db.query("update orders set ended_at = now() - make_interval(days => $2) where id = $1", [
        decodeId("pur", bought.body.id),
        endedDays,
      ]),
      db.query("update order_keys set created_at = now() - interval '130 days', review_at = now()"),
    ]);
  await age(0);
  const second = await startGateway({ dataDir: data.dir, environment });
  await waitFor("the review of the keys", async () => {
    const { rows } = await db.query<{ due: bigint }>("select count(*) as due from order_keys where review_at <= now()");
    return rows[0]?.due === 0n;
  });
  const repeat = await buy(second);
  assert.deepEqual([repeat.body.id, repeat.headers.get("idempotent-replayed")], [bought.body.id, "true"]);
  await second.stop();

  await age(91);
  const third = await startGateway({ dataDir: data.dir, environment });
  ends.push(() => third.stop());
  await waitFor("the key to be forgotten", async () => (await db.query("select from order_keys")).rowCount === 0);
  const another = await buy(third);
  await ended(third, another.body);
  assert.notEqual(another.body.id, bought.body.id);
  assert.deepEqual(await ledgerFindings(database.connection), []);
});
