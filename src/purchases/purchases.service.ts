import { limitsOf } from "../accounts/order-caller.ts";
import { readKeySpend, readUsage } from "../accounts/usage.repo.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import { lagosDay, lagosMonth } from "../kernel/lagos.ts";
import type { Mode } from "../kernel/mode.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { invariant, ok, type Result, refuse } from "../kernel/result.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import type { AcceptedOnce, Declined } from "../orders/accept-once.ts";
import { findTwin } from "../orders/likely-duplicates.repo.ts";
import { type Order, PRIORITY } from "../orders/order.ts";
import { findOrder } from "../orders/orders.repo.ts";
import type { Orders } from "../orders/orders.ts";
import { whyNot } from "../orders/refusals.ts";
import { earlierTarget, keysOf, type RequestKeys } from "../orders/repeats.ts";
import type { ProductLine } from "./product-line.ts";
import { PURCHASE_NAMES } from "./purchase.definition.ts";
import { type PurchaseCaller, type PurchaseOptions, type Quote, type StoredPurchase, taxOf } from "./purchase.ts";
import { SENDABLE_MS } from "./purchase.waits.ts";

/** The steps that all purchases share, from the check of repeats to the wait for the outcome. */
export interface Purchases {
  /**
   * The order that the same key or reference made before, if any: a repeat is answered with it, whatever prices, plans and meters
   * are by now. Errors: `idempotency_key_required`, and `idempotency_key_reused` or `reference_already_used` when another request
   * used it.
   */
  earlier(caller: PurchaseCaller, options: PurchaseOptions, keys: RequestKeys): Promise<Result<Order | undefined>>;
  /**
   * Checks whether the quote could be bought now, in the order in which a purchase is refused. It only reads, so it uses no key
   * and guarantees nothing about a later purchase. `keys`: of the later purchase, one for each form of its body; a request that
   * would be answered as a repeat has no fault.
   */
  check(
    caller: PurchaseCaller,
    quote: Quote,
    options: PurchaseOptions,
    keys: readonly [RequestKeys, ...RequestKeys[]],
  ): Promise<Result<void>>;
  /** Buys the quote: durable, and its price held, when this resolves. A repeat gets the earlier purchase. */
  buy(caller: PurchaseCaller, quote: Quote, options: PurchaseOptions, keys: RequestKeys): Promise<Result<AcceptedOnce>>;
  /** The purchase as it is once it has ended, or when the time is up. */
  outcome(order: Pick<Order, "accountId" | "id">, waitMs: number): Promise<Order>;
}

export interface PurchasesOptions {
  readonly db: Database;
  readonly orders: Orders;
  readonly clock: Clock;
  readonly vatBasisPoints: number;
  readonly availableOf: (accountId: Uuid, mode: Mode) => Promise<Kobo>;
  /** By service. */
  readonly lines: ReadonlyMap<string, Pick<ProductLine, "products">>;
}

/** Test mode's number that no route takes. */
const UNSERVED_TEST_NUMBER = "2348000000013";

export function makePurchases(options: PurchasesOptions): Purchases {
  const { db, orders, clock, vatBasisPoints, availableOf, lines } = options;
  const noRoute = ({ service, payload }: Quote): Refusal => {
    const name = lines.get(service)?.products[payload.product];
    invariant(name, "a quote is of a product of its service's line");
    return refusal(
      "provider_unavailable",
      `No vendor can deliver this ${name} now, so nothing was bought and nothing is charged. Try again in a minute.`,
      { retryAfterSeconds: 60 },
    );
  };
  const orderFor = (caller: PurchaseCaller, quote: Quote, options: PurchaseOptions, keys: RequestKeys): NewOrder => {
    const now = clock.now();
    const payload: StoredPurchase = {
      ...quote.payload,
      paid_for_kobo: String(quote.amountKobo),
      ...(options.notify && { notify: options.notify }),
      ...(quote.taxedByBreakdown && { vat_basis_points: vatBasisPoints }),
    };
    return {
      id: newUuid(),
      accountId: caller.accountId,
      mode: caller.mode,
      service: quote.service,
      state: "processing",
      priority: PRIORITY.singleTransactional,
      ambiguity: "requery",
      priceKobo: quote.priceKobo,
      taxKobo: taxOf(quote, vatBasisPoints),
      recipient: quote.recipient,
      reference: options.reference ?? null,
      metadata: options.metadata ?? null,
      payload,
      sendAt: null,
      expiresAt: new Date(now.getTime() + SENDABLE_MS[caller.mode]),
      createdAt: now,
      dueAt: now,
      ...limitsOf(caller, now),
      keys: keysOf(keys, options.reference),
      twin: { key: quote.twinKey, allowed: options.allow_duplicate ?? false },
      requestId: keys.requestId,
    };
  };

  return {
    async earlier(caller, options, keys) {
      const spent = keysOf(keys, options.reference);
      if (spent.length === 0) return refuse(KEY_REQUIRED);
      const before = await orders.answerBefore(caller, spent);
      return before?.ok ? ok(before.value.order) : (before ?? ok(undefined));
    },

    async check(caller, quote, options, keys) {
      const { accountId, mode, plan, plans, spendCap } = caller;
      const { service, payload, priceKobo } = quote;
      const now = clock.now();
      const cost = { priceKobo, taxKobo: taxOf(quote, vatBasisPoints) };
      const no = (why: Declined) => refuse(whyNot(why, { service: PURCHASE_NAMES, cost, plan, plans }));

      const spent = keys.map((each) => keysOf(each, options.reference));
      if (await earlierTarget(db, caller, spent.flat(), now)) return ok(undefined);
      const before = await orders.answerBefore(caller, spent[0]!);
      if (before && !before.ok) return before;
      if (isUnserved(caller, quote) || !orders.takes({ service, mode, payload })) return refuse(noRoute(quote));
      const twin = options.allow_duplicate ? undefined : await findTwin(db, caller, quote.twinKey, now);
      if (twin) return no({ kind: "twin", targetId: twin });
      const availableKobo = await availableOf(accountId, mode);
      if (availableKobo < priceKobo) return no({ kind: "funds", availableKobo });
      if (spendCap && priceKobo > 0n) {
        const { keyId, limitKobo } = spendCap;
        const day = lagosDay(now);
        const leftKobo = limitKobo - (await readKeySpend(db, keyId, day));
        if (priceKobo > leftKobo)
          return no({ kind: "spend", leftKobo: kobo(leftKobo > 0n ? leftKobo : 0n), limitKobo, day });
      }
      if (plan.quota === null) return ok(undefined);
      const period = lagosMonth(now);
      const left = plan.quota - ((await readUsage(db, accountId, mode, period)).get(service) ?? 0);
      return left > 0 ? ok(undefined) : no({ kind: "quota", left: 0, period });
    },

    async buy(caller, quote, options, keys) {
      const order = orderFor(caller, quote, options, keys);
      if (order.keys.length === 0) return refuse(KEY_REQUIRED);
      if (isUnserved(caller, quote) || !orders.takes(order)) return refuse(noRoute(quote));
      const { plan, plans } = caller;
      return orders.acceptOnce(order, keys, (why) =>
        refuse(whyNot(why, { service: PURCHASE_NAMES, cost: order, plan, plans })),
      );
    },

    async outcome({ accountId, id }, waitMs) {
      const ended = waitMs > 0 ? await orders.waitForEnd({ accountId, id }, waitMs) : undefined;
      return ended ?? (await findOrder(db, accountId, id))!;
    },
  };
}

const isUnserved = ({ mode }: PurchaseCaller, { recipient }: Quote): boolean =>
  mode === "test" && recipient === UNSERVED_TEST_NUMBER;

const KEY_REQUIRED = refusal(
  "idempotency_key_required",
  "A purchase needs a name that a repeat can be recognised by: send an Idempotency-Key header, or a `reference` in the body.",
);
