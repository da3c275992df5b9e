import assert from "node:assert/strict";
import { after } from "node:test";
import { AIRTIME } from "../airtime/airtime.definition.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import { openLedgerAccounts, postTransfer } from "../ledger/ledger.repo.ts";
import type { Order } from "../orders/order.ts";
import { makeOrders, type Orders } from "../orders/orders.ts";
import type { Provider } from "../ports/provider.ts";
import type { PurchasePayload } from "../ports/purchase-payload.ts";
import { PROVIDERS } from "../providers/registry.ts";
import { purchaseDefinition } from "../purchases/purchase.definition.ts";
import { makeTokenSeal } from "../purchases/tokens.ts";
import type { VendorClient } from "../simulators/vendors/client.ts";
import { testVendors } from "../simulators/vendors/rig.ts";
import { makeTestDatabase, SILENT, type TestDatabase } from "./database.ts";
import { newOrder, REAL_CLOCK, waitForState } from "./engine.ts";
import { PURCHASES, TEST_DEPS } from "./purchase-task.ts";

const PRICE_KOBO = kobo(50_000);

/** With it the rig seals tokens. */
export const RIG_SECRET = "a secret of the tests, long enough for it";

/** By vendor: its provider's name in afara.config.ts, what is bought there here, and what its settings need. */
const VENDORS = {
  vtpass: {
    name: "vtpass-simulator",
    service: "airtime",
    payload: PURCHASES.airtime,
    settings: { apiKey: "simulated-api-key", publicKey: "PK_simulated", secretKey: "SK_simulated" },
  },
  reloadly: {
    name: "reloadly-simulator",
    service: "airtime",
    payload: { ...PURCHASES.airtime, network: "airtel" },
    settings: {
      clientId: "simulated-client-id",
      clientSecret: "simulated-client-secret",
      webhookSecret: "simulated-webhook-secret",
      firstStatusMs: 100,
    },
  },
  buypower: {
    name: "buypower-simulator",
    service: "electricity",
    payload: PURCHASES.electricity,
    settings: { token: "simulated-buypower-token" },
  },
} as const satisfies Record<string, { name: string; service: string; payload: PurchasePayload; settings: object }>;

export type VendorName = keyof typeof VENDORS;

export interface PurchasesRig {
  readonly database: TestDatabase;
  readonly db: Database;
  readonly engine: Orders;
  readonly vendors: VendorClient;
  readonly accountId: Uuid;
  readonly providers: ReadonlyMap<string, Provider>;
  /** Buys something at a vendor, for a recipient of its own, and waits until it is in one of these states. */
  buy(vendor: VendorName, ...states: string[]): Promise<Order>;
}

/** The engine on a real database with the real adapters against the real simulators, for the length of a file's tests. */
export async function startPurchases(): Promise<PurchasesRig> {
  const ends: (() => Promise<void> | void)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  // Its own hook closes it, and hooks run in the order of their registration.
  const database = await makeTestDatabase();
  const db = database.open();
  const { ports, client } = await testVendors({ after: (end: () => Promise<void>) => void ends.push(end) });

  const providers = new Map<string, Provider>();
  for (const [vendor, { name, settings }] of Object.entries(VENDORS)) {
    const baseUrl = `http://127.0.0.1:${ports[vendor]}`;
    const definition = PROVIDERS.find(({ adapter }) => adapter === vendor);
    const built = definition?.build(name, { responseTimeoutMs: 2_000, ...settings, baseUrl }, TEST_DEPS);
    assert.ok(built?.ok, JSON.stringify(built));
    providers.set(name, built.value);
  }

  const accountId = newUuid();
  const kinds = ["wallet", "funding", "refunds", "loss", "sales:airtime", "sales:electricity"];
  await openLedgerAccounts(db, accountId, "test", kinds);
  const money = {
    debit: "funding",
    credit: "wallet",
    amountKobo: kobo(100_000_000),
    reason: "what the test begins with",
  };
  await postTransfer(db, { accountId, id: newUuid(), mode: "test", kind: "credit", ...money, at: new Date() });

  const route = (vendor: VendorName, only?: Record<string, readonly string[]>) => {
    const { name, service } = VENDORS[vendor];
    const settings = { name, queues: [`${service}:test`], weight: 1, window: 50, ratePerSecond: 1_000 };
    return { provider: providers.get(name)!, settings: { ...settings, ...(only && { only }) } };
  };
  const services = [AIRTIME, purchaseDefinition("electricity", {})];
  const engine = makeOrders({
    db,
    node: newUuid(),
    role: "all",
    clock: REAL_CLOCK,
    log: SILENT,
    services,
    routes: [route("vtpass", { network: ["mtn"] }), route("reloadly", { network: ["airtel"] }), route("buypower")],
    isSuspended: async () => false,
    leaseSeconds: 30,
    inboxMax: 500,
    waitingMax: 1_000,
    answerMs: 5_000,
  });
  const { seal: redact } = makeTokenSeal(RIG_SECRET);
  engine.attach(services.map((definition) => ({ definition, redact })));
  await engine.start([]);
  ends.push(() => engine.stop());

  let bought = 0;
  return {
    database,
    db,
    engine,
    vendors: client,
    accountId,
    providers,
    async buy(vendor, ...states) {
      const { service, payload } = VENDORS[vendor];
      const number = String(++bought);
      const recipient = service === "airtime" ? `23480312${number.padStart(5, "0")}` : `1${number.padStart(10, "0")}`;
      const order = newOrder(accountId, {
        service,
        state: "processing",
        ambiguity: "requery",
        priceKobo: PRICE_KOBO,
        recipient,
        payload: { ...payload, paid_for_kobo: payload.amount_kobo },
      });
      assert.deepEqual(await engine.accept(order), { ok: true, value: { kind: "accepted" } });
      return waitForState(db, order, ...states);
    },
  };
}

/** The real time and so much more. */
export const clockAhead = (aheadMs: number): Clock => ({
  now: () => new Date(Date.now() + aheadMs),
  monotonicMs: () => performance.now() + aheadMs,
});

/** Keeps the messages that are errors. */
export function listeningLog(): { readonly log: Log; readonly errors: string[] } {
  const errors: string[] = [];
  return { log: { ...SILENT, error: (_, message) => void errors.push(message) }, errors };
}
