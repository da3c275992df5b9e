import { createHash } from "node:crypto";
import pg from "pg";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { type Finding, type HoldRule, openLedgerAccounts, postTransfer, proveLedger } from "../ledger/ledger.repo.ts";
import type { NewOrder, OrderKey } from "../orders/accept.repo.ts";
import { type Order, queueOf } from "../orders/order.ts";
import { findOrder } from "../orders/orders.repo.ts";
import { makeOrders, type Orders, type OrdersOptions } from "../orders/orders.ts";
import type { RouteSettings } from "../orders/route.ts";
import type { Service } from "../orders/service.ts";
import type { Provider } from "../ports/provider.ts";
import { SILENT } from "./database.ts";
import { DELIVERY } from "./delivery.ts";
import { PARCEL, TOPUP } from "./parcel.ts";
import { waitFor } from "./wait-for.ts";

/** The engine on a real database with the tests' own services and vendors. */

export const REAL_CLOCK: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };

const SERVICES = [PARCEL, TOPUP, DELIVERY];

export const PRICE_KOBO = kobo(400);

export interface EngineOptions
  extends Partial<
    Pick<OrdersOptions, "role" | "leaseSeconds" | "inboxMax" | "node" | "clock" | "log" | "providers" | "isSuspended">
  > {
  /** What each of the tests' services does at run time. */
  readonly hooks?: Omit<Service, "definition">;
  /** By vendor's name: what its route has different. */
  readonly routes?: Readonly<Record<string, Partial<RouteSettings>>>;
}

/** One node. Start it and stop it yourself; the routes are in the order of the vendors, all with the same weight. */
export function makeEngine(db: Database, providers: readonly Provider[], options: EngineOptions = {}): Orders {
  const { routes = {}, hooks = {}, ...rest } = options;
  const { jobs = [], ...perOrder } = hooks;
  const engine = makeOrders({
    db,
    node: newUuid(),
    role: "all",
    clock: REAL_CLOCK,
    log: SILENT,
    services: SERVICES,
    routes: providers.map((provider) => ({
      provider,
      settings: {
        name: provider.name,
        queues: SERVICES.map(({ service }) => queueOf(service, "test")),
        weight: 1,
        window: 50,
        ratePerSecond: 100_000,
        ...routes[provider.name],
      },
    })),
    isSuspended: async () => false,
    leaseSeconds: 30,
    inboxMax: 500,
    waitingMax: 20_000,
    answerMs: 5_000,
    ...rest,
  });
  engine.attach(
    SERVICES.map((definition) => ({ definition, ...perOrder })),
    jobs,
  );
  return engine;
}

/** An account with money in its test wallet. */
export async function makeCustomer(db: Database, balanceKobo = 1_000_000_000n): Promise<Uuid> {
  const accountId = newUuid();
  const kinds = ["wallet", "funding", "refunds", "loss", ...SERVICES.map(({ service }) => `sales:${service}`)];
  await openLedgerAccounts(db, accountId, "test", kinds);
  if (balanceKobo > 0n)
    await postTransfer(db, {
      accountId,
      id: newUuid(),
      mode: "test",
      kind: "credit",
      debit: "funding",
      credit: "wallet",
      amountKobo: kobo(balanceKobo),
      reason: "what the test begins with",
      at: new Date(),
    });
  return accountId;
}

/** An order due at once, at most once on the wire unless told. */
export function newOrder(accountId: Uuid, more: Partial<NewOrder> = {}): NewOrder {
  const now = new Date();
  return {
    id: newUuid(),
    accountId,
    mode: "test",
    service: "parcel",
    state: "queued",
    priority: 0,
    ambiguity: "fail",
    priceKobo: PRICE_KOBO,
    taxKobo: kobo(28),
    recipient: "2348031234567",
    reference: null,
    metadata: null,
    payload: { from: "Afara" },
    sendAt: null,
    expiresAt: null,
    createdAt: now,
    dueAt: now,
    quota: null,
    spendCap: null,
    keys: [],
    ...more,
  };
}

export const newTopup = (accountId: Uuid, more: Partial<NewOrder> = {}): NewOrder =>
  newOrder(accountId, { service: "topup", ambiguity: "requery", ...more });

export const keyOf = (kind: OrderKey["kind"], key: string, request = "a request"): OrderKey => ({
  kind,
  key,
  fingerprint: createHash("sha256").update(request).digest(),
});

/** The order once it is in one of these states. */
export const waitForState = (
  db: Database,
  order: Pick<Order, "accountId" | "id">,
  ...states: string[]
): Promise<Order> =>
  waitFor(`an order that is ${states.join(" or ")}`, async () => {
    const now = await findOrder(db, order.accountId, order.id);
    return now && states.includes(now.state) ? now : undefined;
  });

const HOLD_RULES: readonly HoldRule[] = SERVICES.flatMap(({ service, table }) =>
  Object.entries(table.states).map(([state, { hold }]) => ({ service, state, hold })),
);

/** What the proof of the ledger finds wrong with the tests' services, in one snapshot. */
export async function engineFindings(connection: pg.ClientConfig): Promise<readonly Finding[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const query = (statement: string | { name: string; text: string }, values: readonly unknown[] = []) =>
      client.query(
        typeof statement === "string"
          ? { text: statement, values: [...values] }
          : { ...statement, values: [...values] },
      );
    return (await proveLedger({ query }, HOLD_RULES)).findings;
  } finally {
    await client.end();
  }
}
