import type { FastifyReply, FastifyRequest } from "fastify";
import type { KeyRecord } from "../accounts/key-record.ts";
import { AnswerLost, DatabaseAway, type Db } from "../db/database.ts";
import { readAmount } from "../http/amount.ts";
import { callerOf } from "../http/authenticate.ts";
import { fingerprintOf, idempotencyKeyOf, requestUuid } from "../http/idempotency.ts";
import { readPage } from "../http/paging.ts";
import { waitOf } from "../http/prefer.ts";
import type { Problems } from "../http/problems.ts";
import { sendRefusal } from "../http/refuse.ts";
import { priceOf } from "../http/schemas.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import { kobo, koboForPeople, parseKobo } from "../kernel/kobo.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { timeOf } from "../kernel/rfc3339.ts";
import type { AcceptedOnce } from "../orders/accept-once.ts";
import { listOrders } from "../orders/listing.repo.ts";
import type { Order } from "../orders/order.ts";
import { statesOf } from "../orders/order-views.ts";
import { findOrder } from "../orders/orders.repo.ts";
import type { RequestKeys } from "../orders/repeats.ts";
import type { ProductLine } from "./product-line.ts";
import type { PurchaseStatus } from "./purchase.schemas.ts";
import type { PurchaseCaller, PurchaseOptions, Quote } from "./purchase.ts";
import { type PurchaseView, quoteView } from "./purchase.view.ts";
import type { PurchaseViews } from "./purchase.views.ts";
import type { Purchases } from "./purchases.service.ts";

/** How every service that sells by purchase answers: buying, one purchase, and the list of them. */
export interface PurchaseReplies {
  /**
   * Answers a POST that buys. A repeat is answered from its purchase as it is by now, whatever a new one would be told. Waits for
   * the outcome by `Prefer`.
   */
  buy<Reply extends FastifyReply>(reply: Reply, ask: Ask): Promise<Reply>;
  /** The purchase with this id as text, with its timeline; 404 for another account's, mode's or service's. */
  status<Reply extends FastifyReply>(reply: Reply, id: string): Promise<Reply>;
  /** Newest first. `recipient`: MSISDN, or the number of a meter or smartcard, as it is stored. */
  list<Reply extends FastifyReply>(reply: Reply, query: PurchaseQuery, recipient?: string): Promise<Reply>;
  /** For what else a service does with a purchase; undefined when it is not the caller's. */
  find(key: KeyRecord, id: string): Promise<Order | undefined>;
}

export interface Ask {
  readonly caller: PurchaseCaller;
  readonly options: PurchaseBody;
  readonly quote: () => Promise<Result<Quote>>;
  /** The quote may ask a vendor, so it is asked for only of what is no repeat. */
  readonly isRemote?: true;
  /** What the answer to `validate_only` has besides: a meter's arrears. */
  readonly more?: (quote: Quote) => Readonly<Record<string, unknown>>;
}

/** The fields of `purchaseOptions`. */
export interface PurchaseBody extends PurchaseOptions {
  readonly expected_price?: string | number;
}

export interface PurchaseQuery {
  readonly limit?: number;
  readonly after?: string;
  readonly status?: PurchaseStatus;
  readonly reference?: string;
  readonly created_after?: string;
  readonly created_before?: string;
}

export interface PurchaseRepliesOptions {
  readonly line: ProductLine;
  readonly db: Db;
  readonly purchases: Purchases;
  readonly views: PurchaseViews;
  readonly vatBasisPoints: number;
}

/** An id of another service's is none here. */
export const noPurchase = ({ goods }: Pick<ProductLine, "goods">): Refusal =>
  refusal("not_found", `There is no such purchase of ${goods} in this account and mode.`);

export function makePurchaseReplies(options: PurchaseRepliesOptions): PurchaseReplies {
  const { line, db, purchases, views, vatBasisPoints } = options;
  const { service } = line;

  const find = async (key: KeyRecord, text: string): Promise<Order | undefined> => {
    const id = decodeId("pur", text);
    const order = id && (await findOrder(db, key.accountId as Uuid, id));
    return order && order.mode === key.mode && order.service === service ? order : undefined;
  };

  /** The answer that the purchase's present state gives. */
  const answer = async <Reply extends FastifyReply>(reply: Reply, order: Order): Promise<Reply> => {
    const [view] = (await views.listed([order], callerOf(reply.request))) as [PurchaseView];
    if (view.status === "failed" || view.status === "reversed")
      return sendRefusal(reply, failed(view, reply.server.edge.problems));
    if (view.status === "processing") reply.header("location", `/${service}/status/${view.id}`);
    reply.code(view.status === "processing" ? 202 : 201).send(view);
    return reply;
  };

  /** A quote at the price that the caller expects. */
  const quoted = async ({ options, quote }: Ask): Promise<Result<Quote>> => {
    const expected =
      options.expected_price === undefined ? undefined : readAmount(options.expected_price, "/expected_price");
    if (expected && !expected.ok) return expected;
    const offer = await quote();
    if (!offer.ok || !expected || expected.value === offer.value.priceKobo) return offer;
    const { priceKobo, amountKobo } = offer.value;
    const fee = priceKobo > amountKobo ? ` (of it ${koboForPeople(kobo(priceKobo - amountKobo))} fee)` : "";
    const detail = `This costs ${koboForPeople(priceKobo)} now${fee}; ${koboForPeople(expected.value)} was expected.`;
    return refuse(refusal("price_changed", detail, { members: { price: priceOf(priceKobo, vatBasisPoints) } }));
  };

  return {
    find,

    async buy(reply, ask) {
      const { request } = reply;
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const { caller, options, more } = ask;
      if (options.validate_only) {
        const quote = await quoted(ask);
        if (!quote.ok) return sendRefusal(reply, quote.error);
        const free = await purchases.check(caller, quote.value, options, keysMeant(request, key.value));
        if (!free.ok) return sendRefusal(reply, free.error);
        reply.code(200).send({ ...quoteView(line, quote.value, vatBasisPoints), ...more?.(quote.value) });
        return reply;
      }
      const fingerprint = fingerprintOf(request.method, request.routeOptions.url ?? "", request.body);
      const keys = { idempotencyKey: key.value, fingerprint, requestId: requestUuid(request) };
      const bought = await buyOnce(ask, keys);
      if (!bought.ok) return sendRefusal(reply, bought.error);
      if (bought.value.replayed) reply.header("idempotent-replayed", "true");
      request.orderId = encodeId("pur", bought.value.order.id);
      try {
        return await answer(reply, await purchases.outcome(bought.value.order, waitOf(request)));
      } catch (error) {
        if (!(error instanceof DatabaseAway || error instanceof AnswerLost)) throw error;
        return sendRefusal(reply, unread(bought.value.order.id, error));
      }
    },

    async status(reply, id) {
      const key = callerOf(reply.request);
      const order = await find(key, id);
      if (!order) return sendRefusal(reply, noPurchase(line));
      reply.send(await views.inFull(order, key));
      return reply;
    },

    async list(reply, query, recipient) {
      const key = callerOf(reply.request);
      const page = readPage(reply.request, query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { filters, rowLimit, beforeId } = page.value;
      const found = await listOrders(db, {
        accountId: key.accountId as Uuid,
        mode: key.mode,
        among: [statesOf(service, views, filters.status)],
        limit: rowLimit,
        ...(recipient !== undefined && { recipient }),
        ...(filters.reference !== undefined && { reference: filters.reference }),
        ...(filters.created_after !== undefined && { createdAfter: timeOf(filters.created_after) }),
        ...(filters.created_before !== undefined && { createdBefore: timeOf(filters.created_before) }),
        ...(beforeId && { beforeId }),
      });
      reply.send(await page.value.answerWith(found, (orders) => views.listed(orders, key)));
      return reply;
    },
  };

  /**
   * The acceptance finds repeats and used keys by itself, in the transaction that it makes anyway. So they are looked for before it
   * only where that spares a vendor's call; and after a refusal, as prices, plans and routes may be others than when it was bought.
   */
  async function buyOnce(ask: Ask, keys: RequestKeys): Promise<Result<AcceptedOnce>> {
    const { caller, options, isRemote } = ask;
    const sell = async () => {
      const quote = await quoted(ask);
      return quote.ok ? purchases.buy(caller, quote.value, options, keys) : quote;
    };
    const bought = isRemote ? undefined : await sell();
    // What the database has left open is not asked of it again: its absence would be told as if nothing had been done.
    if (bought && (bought.ok || bought.error.code === "acceptance_unknown")) return bought;
    const earlier = await purchases.earlier(caller, options, keys);
    if (!earlier.ok) return earlier;
    if (earlier.value) return ok({ order: earlier.value, replayed: true });
    return bought ?? sell();
  }
}

/** It is accepted for certain, and goes on. */
function unread(uuid: Uuid, { message }: Error): Refusal {
  const id = encodeId("pur", uuid);
  return refusal(
    "acceptance_unknown",
    `It was accepted, but the database was away before its outcome could be read. Ask GET /orders/${id}, or repeat with the same Idempotency-Key.`,
    { retryAfterSeconds: 2, internal: message, members: { order_id: id } },
  );
}

/** Of the purchase that a `validate_only` is about: sent without that field, or with it as `false`. */
function keysMeant(request: FastifyRequest, idempotencyKey: string | undefined): [RequestKeys, RequestKeys] {
  const { validate_only: _, ...body } = request.body as PurchaseBody;
  const keysFor = (meant: PurchaseBody): RequestKeys => ({
    idempotencyKey,
    fingerprint: fingerprintOf(request.method, request.routeOptions.url ?? "", meant),
  });
  return [keysFor(body), keysFor({ ...body, validate_only: false })];
}

/** What the answer of a purchase that ended without a delivery says. Its price is back in the wallet by then. */
function failed(purchase: PurchaseView, { has, kindOf }: Problems): Refusal {
  const price = koboForPeople(parseKobo(purchase.price.amount));
  if (purchase.status === "reversed")
    return refusal(
      "purchase_failed",
      `The vendor took it back after it was delivered. The price of ${price} was refunded.`,
      {
        members: { purchase },
      },
    );
  const { code = "purchase_failed", detail = "It was not delivered." } = purchase.failure ?? {};
  const isAnswer = has(code) && kindOf(code).status === kindOf("purchase_failed").status;
  return refusal(isAnswer ? code : "purchase_failed", `${detail} The price of ${price} is back in the wallet.`, {
    members: { purchase },
  });
}
