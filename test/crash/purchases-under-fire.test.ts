import assert from "node:assert/strict";
import { test } from "node:test";
import type { SeenVend } from "../../src/simulators/vendors/client.ts";
import type { ScenarioName } from "../../src/simulators/vendors/scenarios.ts";
import { makeTestAccount } from "../../src/testing/account.ts";
import type { Gateway } from "../../src/testing/gateway.ts";
import { ledgerFindings } from "../../src/testing/ledger-findings.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { makeRandom } from "../simulation/random.ts";
import { SECRET, startPurchaseCluster } from "./purchase-cluster.ts";

/**
 * Two hundred purchases of several accounts, over two gateways, of which one is killed in the midst, at vendors that are slow,
 * silent, broken, late or take back what they sold. `AFARA_SEED=n` has the vendors do the same again.
 */

const PURCHASES = 200;
const ACCOUNTS = 4;
const CALLERS = 24;
const KILL_AFTER = 60;
const seed = Number(process.env.AFARA_SEED ?? Math.floor(Date.now() / 86_400_000));

/** What a vendor may do to a purchase. Half of them are ordinary. */
const SCENARIOS: readonly ScenarioName[] = [
  "pending_then_delivered",
  "pending_then_failed",
  "timeout_then_delivered",
  "timeout_then_failed",
  "never_received",
  "http_500_then_delivered",
  "http_503_then_delivered",
  "html_then_delivered",
  "empty_then_failed",
  "unlisted_code_then_delivered",
  "unlisted_code_then_failed",
  "reference_used",
  "requery_fails",
  "float_low",
  "product_down",
  "credentials_refused",
  "slow_drip",
  "half_json",
  "wrong_length",
  "odd_numbers",
];
/** Only from vendors that tell of it: what another does after its last word, reconciliation has to find. */
const TOLD: readonly ScenarioName[] = [
  "delivered_then_reversed",
  "callback_twice",
  "failed_then_delivered",
  "callback_late",
];
const ELECTRICITY: readonly ScenarioName[] = ["token_late", "key_change", "bonus_token"];

const cluster = await startPurchaseCluster([
  { provider: "vtpass-simulator", service: "airtime" },
  { provider: "reloadly-simulator", service: "airtime" },
  { provider: "vtpass-simulator", service: "electricity" },
  { provider: "buypower-simulator", service: "electricity" },
]);
const { db, vendors } = cluster;
const LEASE = { AFARA_LEASE_SECONDS: "5" };
let a = await cluster.startNode("a", LEASE);
const b = await cluster.startNode("b", LEASE);
const random = makeRandom(seed);

const accounts = await Promise.all(
  Array.from({ length: ACCOUNTS }, () =>
    makeTestAccount(db, {
      secret: SECRET,
      plan: "scale",
      also: { airtime: "scale", electricity: "scale" },
      balance: "1000000.00",
    }),
  ),
);

interface Purchase {
  readonly key: string;
  readonly account: (typeof accounts)[number];
  readonly path: string;
  readonly body: object;
}

/** A purchase for a recipient of its own, and what each vendor that may get it will do. */
async function plan(number: number): Promise<Purchase> {
  const isMeter = number % 2 === 1;
  const recipient = isMeter ? `1${String(number).padStart(10, "0")}` : `23480313${String(number).padStart(5, "0")}`;
  for (const vendor of ["vtpass", isMeter ? "buypower" : "reloadly"]) {
    const possible = [...SCENARIOS, ...(vendor === "buypower" ? [] : TOLD), ...(isMeter ? ELECTRICITY : [])];
    // The first ones have each in turn, so that none is left to chance.
    const drawn = random.chance(0.5) ? random.pick(possible) : "success";
    const scenario = possible[number] ?? drawn;
    await vendors.scenario(vendor, scenario, { recipient, afterMs: random.between(200, 4_000), on: "vend" });
  }
  return {
    key: `fire ${number}`,
    account: accounts[number % ACCOUNTS]!,
    ...(isMeter
      ? {
          path: "/electricity/purchase",
          body: { meter_number: recipient, disco: "abuja-electric", amount: 5_000, to: "08031234567" },
        }
      : { path: "/airtime/topup", body: { to: recipient, amount: 500, network: "mtn" } }),
  };
}

let accepted = 0;

/** As a good client does: the same request with the same key until there is an answer, at whichever node is there. */
async function buy(purchase: Purchase, node: () => Pick<Gateway, "call">, signal: AbortSignal): Promise<void> {
  const { key, account, path, body } = purchase;
  while (!signal.aborted) {
    const headers = { "x-api-key": account.key, "idempotency-key": key, prefer: "wait=2" };
    const answer = await node()
      .call("POST", path, body, headers)
      .catch(() => undefined);
    if (answer && [201, 202, 422].includes(answer.status)) {
      accepted += 1;
      return;
    }
    assert.ok(answer === undefined || answer.status >= 500, JSON.stringify(answer?.body));
    // A node that is being started needs the machine for itself.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

interface Stored {
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly service: string;
  readonly state: string;
  readonly paidForKobo: bigint;
  /** Delivered after the money had gone back, and booked as such. */
  readonly losses: number;
  /** Cases of attempts that were given up and of which a vendor has spoken since. */
  readonly cases: number;
  /** Our references of its attempts, the last one last. */
  readonly references: readonly string[];
}

const stored = async (): Promise<readonly Stored[]> =>
  (
    await db.query<Stored>(
      `select o.id, o.account_id as "accountId", o.recipient, o.service, o.state,
              (o.payload->>'paid_for_kobo')::bigint as "paidForKobo",
              (select count(*)::int from transfers t where t.order_id = o.id and t.kind = 'loss') as losses,
              (select count(*)::int from cases c where c.order_id = o.id and c.kind = 'outdated_attempt') as cases,
              array(select x.reference from attempts x where x.order_id = o.id order by x.attempt) as "references"
         from orders o`,
    )
  ).rows;

const vendorsBooks = async (): Promise<readonly SeenVend[]> =>
  (await Promise.all(["vtpass", "reloadly", "buypower"].map((name) => vendors.vends(name)))).flat();

/** What was delivered to a purchase's recipient and not taken back: by the attempt that counts, and by ones given up before. */
function deliveredTo({ recipient, references }: Stored, vends: readonly SeenVend[]) {
  const all = vends.filter((vend) => vend.recipient === recipient && vend.state === "delivered");
  return {
    now: all.filter(({ reference }) => reference === references.at(-1)),
    earlier: all.filter(({ reference }) => reference !== references.at(-1)),
  };
}

/** Purchases that were delivered more or less often than they were paid for, what is listed as lost included. */
const disagreements = (orders: readonly Stored[], vends: readonly SeenVend[]): readonly string[] =>
  orders.flatMap((order) => {
    const { now, earlier } = deliveredTo(order, vends);
    const paid = (order.state === "successful" ? 1 : 0) + order.losses;
    const isAgreed = now.length === paid && (earlier.length === 0 || order.cases > 0);
    return isAgreed ? [] : [`${order.state} ${order.recipient}: ${now.length} and ${earlier.length} delivered`];
  });

const sum = (amounts: readonly (string | bigint)[]): bigint =>
  amounts.reduce<bigint>((total, amount) => total + BigInt(amount), 0n);

test("whatever befalls them, each purchase ends, and what phones and meters received is what was taken and lost, to the kobo", async (t) => {
  t.diagnostic(`seed ${seed}`);
  const purchases: Purchase[] = [];
  for (let number = 0; number < PURCHASES; number++) purchases.push(await plan(number));
  const killed = waitFor("the midst", () => accepted >= KILL_AFTER).then(async () => {
    a.signal("SIGKILL");
    await a.ended;
    a = await cluster.startNode("a", LEASE);
  });
  const left = [...purchases];
  const caller = async (index: number) => {
    for (let purchase = left.shift(); purchase; purchase = left.shift())
      await buy(purchase, () => (index % 2 === 0 ? a : b), t.signal);
  };
  await Promise.all([killed, ...Array.from({ length: CALLERS }, (_, index) => caller(index))]);

  const orders = await waitFor("the end of every purchase", async () => {
    const all = await stored();
    return all.every(({ state }) => ["successful", "failed", "reversed"].includes(state)) && all;
  });
  assert.equal(orders.length, PURCHASES, "one purchase a key");

  // Until the vendors have said all: what comes after an end is a reversal, or a loss of ours.
  let found: readonly string[] = [];
  await waitFor("books that agree", async () => {
    found = disagreements(await stored(), await vendorsBooks());
    return found.length === 0;
  }).catch(() => assert.deepEqual(found, []));

  const [all, vends] = [await stored(), await vendorsBooks()];
  const received = sum(vends.filter(({ state }) => state === "delivered").map(({ amountKobo }) => amountKobo));
  const taken = sum(all.filter(({ state }) => state === "successful").map(({ paidForKobo }) => paidForKobo));
  const booked = sum(all.filter(({ losses }) => losses > 0).map(({ paidForKobo }) => paidForKobo));
  const outdated = sum(all.flatMap((order) => deliveredTo(order, vends).earlier.map(({ amountKobo }) => amountKobo)));
  assert.equal(received, taken + booked + outdated);
  assert.deepEqual(await ledgerFindings(cluster.connection), []);

  const states = Object.groupBy(all, ({ state }) => state);
  t.diagnostic(
    Object.entries(states)
      .map(([state, some]) => `${state}: ${some?.length}`)
      .join(", "),
  );
  assert.ok(states.successful && states.failed && vends.some(({ state }) => state === "reversed"));
});

test("no token was sold twice: each is taken by its meter once, and the subscriber is shown exactly these", async () => {
  const bought = (await stored()).filter(({ service, state }) => service === "electricity" && state === "successful");
  assert.ok(bought.length > 20);
  const seen = new Set<string>();
  for (const { accountId, recipient } of bought) {
    const { body } = await b.call<{ data: { tokens: { value: string }[] }[] }>(
      "GET",
      `/electricity/purchases?meter_number=${recipient}`,
      undefined,
      { "x-api-key": accounts.find((account) => account.accountId === accountId)!.key },
    );
    const shown = body.data.flatMap(({ tokens }) => tokens.map(({ value }) => value.replaceAll(" ", "")));
    assert.ok(shown.length > 0);
    for (const token of shown) {
      assert.ok(!seen.has(token), "a token of two purchases");
      seen.add(token);
      assert.equal((await vendors.enterToken(recipient, token)).result, "accepted");
      assert.equal((await vendors.enterToken(recipient, token)).result, "used");
    }
  }
});
