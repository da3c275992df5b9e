import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { startPurchaseCluster } from "./purchase-cluster.ts";

/**
 * A node that stands still right before its request is written, for longer than its lease: another node sells the purchase, and
 * then the first one wakes and writes. Each vendor takes one of the two.
 */
const CASES = [
  { vendor: "vtpass", path: "/airtime/topup", body: { to: "2348031234001", amount: 500, network: "mtn" } },
  { vendor: "reloadly", path: "/airtime/topup", body: { to: "2348021234002", amount: 500, network: "airtel" } },
  {
    vendor: "buypower",
    path: "/electricity/purchase",
    body: { meter_number: "10000000003", disco: "abuja-electric", amount: 5_000, to: "08031234003" },
  },
] as const;

const cluster = await startPurchaseCluster([
  { provider: "vtpass-simulator", service: "airtime", only: { network: ["mtn"] } },
  { provider: "reloadly-simulator", service: "airtime", only: { network: ["airtel"] } },
  { provider: "buypower-simulator", service: "electricity", only: { disco: ["abuja-electric"] } },
]);
const { db, vendors: simulator } = cluster;
const armed = join(cluster.dir, "armed");

const frozen = await cluster.startNode("frozen", {
  AFARA_LEASE_SECONDS: "3",
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "die-at.ts"))}`,
  AFARA_TEST_DIE_AT: "before-write",
  AFARA_TEST_DIE_FILE: armed,
  AFARA_TEST_DIE_SIGNAL: "SIGSTOP",
});
const other = await cluster.startNode("other", { AFARA_LEASE_SECONDS: "3" });

for (const { vendor, path, body } of CASES)
  test(`${vendor}: what a frozen node writes when it wakes is refused as a repeat; there is one vend and one charge`, async () => {
    const recipient = "meter_number" in body ? body.meter_number : body.to;
    const key = { "idempotency-key": `frozen ${vendor}` };
    await writeFile(armed, "");
    const answer = frozen.call("POST", path, body, key);
    await waitFor("the node to stand still", () => !existsSync(armed));
    const stored = () =>
      db.query<{ id: string; account_id: string; state: string; attempt: number; holds: string[] }>(
        `select o.id, o.account_id, o.state, o.attempt,
                array(select t.kind || ' ' || t.state from transfers t where t.order_id = o.id) as holds
           from orders o where o.recipient = $1`,
        [recipient],
      );
    await waitFor("the other node's sale", async () => (await stored()).rows[0]?.state === "successful");
    const { length: callsBefore } = await simulator.calls(vendor);
    frozen.signal("SIGCONT");
    await waitFor("the woken node's request and its record", async () => {
      const { rows } = await db.query(
        "select 1 from events where order_id = $1 and detail ->> 'late_answer' is not null",
        [(await stored()).rows[0]?.id],
      );
      return rows.length > 0;
    });
    await waitFor("its request at the vendor", async () => (await simulator.calls(vendor)).length > callsBefore);
    // It waited for so long that it may tell what it knew before it stood still.
    assert.ok([201, 202].includes((await answer).status));
    const { rows } = await stored();
    assert.deepEqual(
      rows.map(({ state, attempt, holds }) => ({ state, attempt, holds })),
      [{ state: "successful", attempt: 1, holds: ["hold posted"] }],
    );
    const vends = await simulator.vends(vendor, { recipient });
    assert.deepEqual(
      vends.map((vend) => vend.state),
      ["delivered"],
    );
    const repeat = await other.call("POST", path, body, key);
    assert.deepEqual([repeat.status, repeat.headers.get("idempotent-replayed")], [201, "true"]);
  });

test("after all of it the ledger is clean and no case is open", async () => {
  assert.deepEqual(await ledgerFindings(cluster.connection), []);
  assert.deepEqual((await db.query("select kind, evidence from cases")).rows, []);
});
