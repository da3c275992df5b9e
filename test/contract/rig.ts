import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Database } from "../../src/db/database.ts";
import { newUuid, type Uuid } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/kobo.ts";
import { openLedgerAccounts, postTransfer } from "../../src/ledger/ledger.repo.ts";
import type { NewOrder } from "../../src/orders/accept.repo.ts";
import { makeOrders, type Orders } from "../../src/orders/orders.ts";
import type { PurchaseWaits, ServiceDefinition } from "../../src/orders/service-definition.ts";
import type { Provider } from "../../src/ports/provider.ts";
import { PROVIDERS } from "../../src/providers/registry.ts";
import { makeTokenSeal } from "../../src/purchases/tokens.ts";
import { VendorClient } from "../../src/simulators/vendors/client.ts";
import type { Product } from "../../src/simulators/vendors/products.ts";
import { SELLERS } from "../../src/simulators/vendors/registry.ts";
import { startVendors } from "../../src/simulators/vendors/spawn.ts";
import { makeTestDatabase, SILENT } from "../../src/testing/database.ts";
import { newOrder, REAL_CLOCK } from "../../src/testing/engine.ts";
import { TEST_DEPS } from "../../src/testing/purchase-task.ts";
import { PRODUCTS } from "./products.ts";

/** The engine on a real database with a vendor's real adapter, against that vendor's real simulator in a process of its own. */

/** What a vendor's simulator sells, and where it departs from the others. */
export function sellerOf(vendor: string) {
  const seller = SELLERS.find(({ name }) => name === vendor);
  assert.ok(seller, `${vendor} sells nothing`);
  return seller;
}

/** Each vendor with each product that it sells. */
export const COLUMNS: readonly (readonly [vendor: string, product: Product])[] = SELLERS.flatMap(({ name, products }) =>
  products.map((product) => [name, product] as const),
);

/** The services that sell all of it. */
const DEFINITIONS = [...new Set(Object.values(PRODUCTS).map(({ definition }) => definition))];

/** Everything is waited for, but not for long. */
const WAITS: PurchaseWaits = {
  requeryMs: (n) => Math.min(100 * (n + 1), 500),
  confirmFailedMs: 1_000,
  notFoundApartMs: 300,
  settleMs: 600,
};
/** Longer than an answer takes on a busy machine. */
const RESPONSE_TIMEOUT_MS = 3_000;

export const PRICE_KOBO = kobo(51_000n);
export const BALANCE_KOBO = kobo(100_000n);

export interface VendorRig {
  readonly db: Database;
  readonly connection: Awaited<ReturnType<typeof makeTestDatabase>>["connection"];
  readonly engine: Orders;
  /** The first vendor's. */
  readonly provider: Provider;
  readonly simulator: VendorClient;
  /** What of the facts is sealed, in the open. */
  readonly tokensOf: ReturnType<typeof makeTokenSeal>["open"];
  /** A purchase by a customer of its own, for a recipient of its own, ready to be accepted. */
  purchase(product: Product, more?: { readonly planCode?: string; readonly accountId?: Uuid }): Promise<NewOrder>;
}

let made = 0;
let vendorsUp: Promise<{ readonly client: VendorClient; readonly ports: Readonly<Record<string, number>> }> | undefined;

/** One simulator process for all vendors, as the gateway has it. */
function startSimulator() {
  vendorsUp ??= (async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "afara-contract-"));
    const running = await startVendors({ dataDir });
    after(async () => {
      await running.kill();
      rmSync(dataDir, { recursive: true, force: true });
    });
    return { client: new VendorClient(running.controlPort, fetch), ports: running.ports };
  })();
  return vendorsUp;
}

/** One vendor, or several for the same orders: the first goes first. */
export async function startVendor(...vendors: readonly [string, ...string[]]): Promise<VendorRig> {
  const { client, ports } = await startSimulator();
  // Registered before the database's own, so that nothing is at work when that one is dropped.
  const ends: (() => Promise<unknown> | unknown)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  const database = await makeTestDatabase();
  const db = database.open();
  const providers = vendors.map((vendor) => buildProvider(vendor, ports[vendor]));
  const seal = makeTokenSeal("a secret of the tests, long enough for it");
  const short = (service: ServiceDefinition): ServiceDefinition => ({ ...service, purchaseWaits: () => WAITS });
  const services = DEFINITIONS.map(short);
  const engine = makeOrders({
    db,
    node: newUuid(),
    role: "all",
    clock: REAL_CLOCK,
    log: SILENT,
    services,
    routes: providers.flatMap((provider) =>
      services.map(({ service }) => ({
        provider,
        settings: { name: provider.name, queues: [`${service}:test`], weight: 1, window: 500, ratePerSecond: 10_000 },
      })),
    ),
    isSuspended: async () => false,
    leaseSeconds: 30,
    inboxMax: 500,
    waitingMax: 1_000,
    answerMs: 5_000,
  });
  engine.attach(services.map((definition) => ({ definition, redact: seal.seal })));
  await engine.start([]);
  ends.push(() => engine.stop());
  for (const provider of providers)
    if (provider.callback) {
      const { url, stop } = await listenFor(provider);
      ends.push(stop);
      await client.callbackUrl(provider.name, url);
    }

  return {
    db,
    connection: database.connection,
    engine,
    provider: providers[0]!,
    simulator: client,
    tokensOf: seal.open,
    async purchase(product, { planCode, accountId } = {}) {
      const { definition, recipient } = PRODUCTS[product];
      return newOrder(accountId ?? (await makeCustomer(db)), {
        service: definition.service,
        state: "processing",
        ambiguity: "requery",
        priceKobo: PRICE_KOBO,
        recipient: recipient(++made),
        payload: payloadOf(vendors[0], product, planCode),
        expiresAt: new Date(Date.now() + 60_000),
      });
    },
  };
}

function buildProvider(vendor: string, port: number | undefined): Provider {
  const { settings } = sellerOf(vendor);
  const baseUrl = `http://127.0.0.1:${port}`;
  const definition = PROVIDERS.find(({ simulator }) => simulator === vendor);
  const built = definition?.build(vendor, { responseTimeoutMs: RESPONSE_TIMEOUT_MS, ...settings, baseUrl }, TEST_DEPS);
  assert.ok(built?.ok, JSON.stringify(built));
  return built.value;
}

function payloadOf(vendor: string, product: Product, planCode: string | undefined): object {
  const { products, planCodes } = sellerOf(vendor);
  assert.ok(products.includes(product), `${vendor} does not sell ${product}`);
  return { ...PRODUCTS[product].payload(vendor, planCode ?? planCodes?.[product]), paid_for_kobo: "50000" };
}

/** A customer with money for one purchase and a bit more. */
async function makeCustomer(db: Database): Promise<Uuid> {
  const accountId = newUuid();
  const sales = DEFINITIONS.map(({ service }) => `sales:${service}`);
  const kinds = ["wallet", "funding", "refunds", "loss", ...sales];
  await openLedgerAccounts(db, accountId, "test", kinds);
  const transfer = {
    debit: "funding",
    credit: "wallet",
    amountKobo: BALANCE_KOBO,
    reason: "what the test begins with",
  };
  await postTransfer(db, { accountId, id: newUuid(), mode: "test", kind: "credit", ...transfer, at: new Date() });
  return accountId;
}

/** Where the vendor calls back. */
async function listenFor(provider: Provider): Promise<{ readonly url: string; readonly stop: () => void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "POST", url = "/", headers } = request;
    const answer = await provider.callback!({ method, path: url, headers, body: Buffer.concat(chunks) });
    response.writeHead(answer.status, { "content-type": answer.contentType }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  return { url: `http://127.0.0.1:${address.port}/`, stop };
}
