import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Gateway } from "../../src/testing/gateway.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { startPurchaseCluster } from "./purchase-cluster.ts";

/**
 * SIGKILL of the running program at each point of a purchase at each vendor. After the restart there is one vend and one charge,
 * and the client that repeats the request with the same key gets that purchase.
 */

const POINTS = [
  "before-commit",
  "after-begin-before-call",
  "during-call",
  "after-answer-before-recording",
  "after-recording-before-reply",
] as const;

interface Case {
  readonly vendor: "vtpass" | "reloadly" | "buypower";
  readonly path: string;
  readonly body: (recipient: string) => object;
  readonly recipient: (number: number) => string;
}

const phone = (number: number): string => `23480312${String(number).padStart(5, "0")}`;
const meter = (number: number): string => `1${String(number).padStart(10, "0")}`;
const smartcard = (number: number): string => `1${String(number).padStart(9, "0")}`;

const CASES: readonly Case[] = [
  { vendor: "vtpass", path: "/airtime/topup", body: (to) => ({ to, amount: 500, network: "mtn" }), recipient: phone },
  {
    vendor: "reloadly",
    path: "/airtime/topup",
    body: (to) => ({ to, amount: 500, network: "airtel" }),
    recipient: phone,
  },
  {
    vendor: "buypower",
    path: "/electricity/purchase",
    body: (meter_number) => ({ meter_number, disco: "abuja-electric", amount: 5_000, to: "08031234567" }),
    recipient: meter,
  },
  {
    vendor: "vtpass",
    path: "/cable/purchase",
    body: (smartcard_number) => ({ smartcard_number, provider: "dstv", kind: "renew", to: "08031234567" }),
    recipient: smartcard,
  },
];

/** Each vendor has what the others don't sell. */
const cluster = await startPurchaseCluster([
  { provider: "vtpass-simulator", service: "airtime", only: { network: ["mtn"] } },
  { provider: "reloadly-simulator", service: "airtime", only: { network: ["airtel"] } },
  { provider: "buypower-simulator", service: "electricity", only: { disco: ["abuja-electric"] } },
  { provider: "vtpass-simulator", service: "cable" },
]);
const { db, vendors: simulator } = cluster;
const armed = join(cluster.dir, "armed");

/** The program, to die at a point when the file is there. */
const start = (point: string): Promise<Gateway> =>
  cluster.startNode("node", {
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "die-at.ts"))}`,
    AFARA_TEST_DIE_AT: point,
    AFARA_TEST_DIE_FILE: armed,
  });

/** All that the database has of what was bought for a recipient: one purchase, its money taken once. */
async function storedOf(recipient: string) {
  const { rows } = await db.query<{ id: string; state: string; attempt: number; holds: string[]; events: string[] }>(
    `select o.id, o.state, o.attempt,
            array(select t.kind || ' ' || t.state from transfers t where t.order_id = o.id) as holds,
            array(select e.type from events e where e.order_id = o.id and e.type is not null) as events
       from orders o where o.recipient = $1`,
    [recipient],
  );
  return rows;
}

let gateway = await start(POINTS[0]);
let number = 0;

for (const point of POINTS)
  for (const { vendor, path, body, recipient: recipientOf } of CASES)
    test(`${vendor} ${path}, ${point}: after the restart it is vended once and charged once, and the repeat gets it`, async () => {
      number += 1;
      const recipient = recipientOf(number);
      const buy = () => gateway.call(`POST`, path, body(recipient), { "idempotency-key": `key ${number}` });

      // Each case ends with a restart, which is armed for its point already.
      if (point === "during-call") {
        // Not done by the restart, so that what is asked first says no more than that it is on its way.
        await simulator.scenario(vendor, "timeout_then_delivered", { recipient, afterMs: 4_000, on: "vend" });
        const answer = buy().catch(() => "no answer");
        await waitFor("the vendor to have it", async () => (await simulator.vends(vendor, { recipient })).length === 1);
        gateway.signal("SIGKILL");
        assert.equal(await answer, "no answer");
      } else {
        await writeFile(armed, "");
        assert.equal(await buy().catch(() => "no answer"), "no answer");
      }
      await gateway.ended;
      // A slow restart is not what is tried: too late to be sent, it would fail with its money back.
      await db.query("update orders set expires_at = now() + interval '10 minutes' where recipient = $1", [recipient]);
      const next = path === CASES.at(-1)?.path ? POINTS[POINTS.indexOf(point) + 1] : point;
      gateway = await start(next ?? "never");

      const before = await storedOf(recipient);
      assert.equal(before.length, point === "before-commit" ? 0 : 1);
      let repeats = 0;
      // On a busy machine the first answer may be that nothing is decided yet: a client repeats that.
      const repeat = await waitFor("an answer that decides", async () => {
        repeats += 1;
        const answer = await buy();
        return answer.status !== 202 && answer.body.code !== "acceptance_unknown" && answer;
      });
      assert.equal(repeat.headers.get("idempotent-replayed"), before.length === 0 && repeats === 1 ? null : "true");
      assert.equal(repeat.status, 201, JSON.stringify(repeat.body));

      const [stored, ...more] = await storedOf(recipient);
      assert.deepEqual(more, []);
      assert.deepEqual([stored?.state, stored?.holds], ["successful", ["hold posted"]]);
      assert.equal(stored?.attempt, 1);
      assert.deepEqual(stored?.events, [`${path.split("/")[1]}.successful`]);
      const vends = await simulator.vends(vendor, { recipient });
      assert.deepEqual(
        vends.map((vend) => vend.state),
        ["delivered"],
      );
      if (path.startsWith("/electricity")) {
        const told = (repeat.body.tokens as { value: string }[]).map(({ value }) => value.replaceAll(" ", ""));
        assert.deepEqual(
          (await simulator.tokens(recipient)).map(({ value }) => value),
          told,
        );
      }
    });

test("after all of it the ledger is clean, nothing is held, and the wallet paid for exactly what was vended", async () => {
  assert.deepEqual(await ledgerFindings(cluster.connection), []);
  const { rows } = await db.query<{ successful: bigint; paid: bigint; held: bigint; balance: bigint; given: bigint }>(
    `select (select count(*) from orders where state = 'successful') as successful,
            (select sum(price_kobo)::bigint from orders where state = 'successful') as paid,
            debits_pending as held, credits_posted - debits_posted as balance, credits_posted as given
       from ledger_accounts where kind = 'wallet' and mode = 'test'`,
  );
  const [wallet] = rows;
  assert.equal(wallet?.successful, BigInt(POINTS.length * CASES.length));
  assert.deepEqual([wallet?.held, wallet?.balance], [0n, (wallet?.given ?? 0n) - (wallet?.paid ?? 0n)]);
});
