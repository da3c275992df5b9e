import Type from "typebox";
import type { Http } from "../http/edge.ts";
import { extending, IdParameter, Timestamp } from "../http/schemas.ts";
import type { Kobo } from "../kernel/kobo.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import { ok } from "../kernel/result.ts";
import type { Order } from "../orders/order.ts";
import type { PurchaseFacts, PurchasePayload, TokenParcel } from "../ports/purchase.ts";
import type { PurchasesPart } from "../purchases/index.ts";
import { nairaForSms } from "../purchases/notice-text.ts";
import type { ProductLine } from "../purchases/product-line.ts";
import { purchaseDefinition } from "../purchases/purchase.definition.ts";
import { Phone, PURCHASE_ERRORS, purchaseListQuery, purchaseOptions } from "../purchases/purchase.schemas.ts";
import { amountOf, type PurchaseCaller, purchaseCaller, type StoredPurchase } from "../purchases/purchase.ts";
import { makeReplyReceipt, type ReceiptView, type ServiceReceipts } from "../purchases/receipt.replies.ts";
import { RECEIPT_ERRORS, receiptContent } from "../purchases/receipt.schemas.ts";
import { line, type ReceiptLine } from "../purchases/receipt.ts";
import { type TokenForm, tokensView } from "../purchases/tokens.ts";

/**
 * A service that only the tests sell: parking, for a number plate, with a code that opens the barrier. It brings all of its own through
 * its line, as a service of the product does: nothing outside this file knows it.
 */

export interface ParkingPayload extends PurchasePayload {
  readonly product: "parking";
  readonly zone: string;
  readonly phone: string;
  /** Shown in another form than electricity's customer. */
  readonly customer: { readonly name: string };
}

interface BarrierCode extends TokenParcel {
  readonly kind: "barrier";
  readonly gate: string;
}

export interface ParkingFacts extends PurchaseFacts {
  readonly tokens?: readonly BarrierCode[];
  readonly valid_until?: string;
}

const storedParking = (order: Pick<Order, "payload">) => order.payload as StoredPurchase & ParkingPayload;

export const PARKING = purchaseDefinition("parking", {
  tokens: { kinds: ["barrier"], noun: "code", read: (text) => text, form: "a code of any form" },
  recipient: { name: "plate", read: ok },
});

export const PARKING_TAG = { name: "Parking", description: "Parking for a number plate." };

const FORM: TokenForm = {
  kinds: ["barrier"],
  written: (code) => code.replace(/(.{4})(?=.)/g, "$1-"),
  masked: (code) => `••••-••••-${code.slice(-4)}`,
  valueText: "A barrier's code.",
  useText: "Type it in at the barrier.",
  members: { gate: Type.String() },
};

export const PARKING_LINE: ProductLine = {
  service: PARKING.service,
  products: { parking: "parking space" },
  goods: "parking",
  subjectOf(purchase) {
    const { phone, zone, customer } = storedParking(purchase);
    return { to: formatE164(storedMsisdn(phone)), plate_number: purchase.recipient, zone, customer };
  },
  deliveredOf({ facts }) {
    const { valid_until: until } = (facts ?? {}) as ParkingFacts;
    return { ...(until !== undefined && { valid_until: until }) };
  },
  tokens: FORM,
  notice(order, tokens) {
    const told = (write: (code: string) => string) =>
      `Plate ${order.recipient}: ${tokens.map(({ value }) => write(value)).join(", ")}. Paid: ${nairaForSms(amountOf(order))}.`;
    return { text: told(FORM.written), shownAs: told(FORM.masked) };
  },
  schemas: {
    subject: {
      plate_number: Type.String(),
      zone: Type.String(),
      customer: Type.Object({ name: Type.String() }, { title: "Driver" }),
    },
    delivered: { valid_until: Timestamp },
  },
};

function own(order: Order, { seal, mayVend }: ReceiptView) {
  return { plate_number: order.recipient, tokens: tokensView(seal.open(order), FORM, mayVend) };
}

const PARKING_RECEIPTS: ServiceReceipts<ReturnType<typeof own>> = {
  line: PARKING_LINE,
  own,
  lines: ({ plate_number: plate, tokens }) => ({
    title: "Parking receipt",
    subtitle: "Zone",
    tokens: tokens.map(({ value }): ReceiptLine => ["Barrier code", value]),
    subject: line("Plate", plate),
    what: "parking",
    unreal: "no barrier opens",
  }),
};

const PLAN = { id: "free", name: "Free", fee: "0.00", quota: null };
const AUTH = { service: "parking", policy: null } as const;
const Params = Type.Object({ purchase_id: IdParameter("pur", "`id` of the purchase.") });

/** Its endpoints; a space costs `priceKobo`. */
export function parkingRoutes(app: Http, purchases: PurchasesPart, priceKobo: Kobo): void {
  const replies = purchases.repliesOf(PARKING_LINE);
  const { Purchase, PurchaseCheck, PurchaseList, ReceiptBasics, Token } = purchases.models();
  const Receipt = extending("ParkingReceipt", ReceiptBasics, {
    plate_number: Type.String(),
    tokens: Type.Array(Token),
  });
  const replyReceipt = makeReplyReceipt(PARKING_RECEIPTS, { ...purchases.receipts, replies });
  const about = (name: string) => ({ operationId: name, summary: name, description: name, tags: [PARKING_TAG.name] });

  app.post(
    "/parking/purchase",
    {
      config: { auth: { ...AUTH, scope: "vend" }, errors: PURCHASE_ERRORS, idempotency: "required", waits: true },
      schema: {
        ...about("buyParking"),
        body: Type.Object({ plate_number: Type.String(), to: Phone, ...purchaseOptions }),
        response: { 200: PurchaseCheck, 201: Purchase, 202: Purchase },
      },
    },
    async (request, reply) => {
      const { plate_number: plate, to, ...options } = request.body;
      const caller: PurchaseCaller = purchaseCaller(request.caller!, PLAN, [PLAN]);
      const payload: ParkingPayload = { product: "parking", zone: "A1", phone: to, customer: { name: "ADA OBI" } };
      return replies.buy(reply, {
        caller,
        options,
        quote: async () =>
          ok({
            service: PARKING.service,
            recipient: plate,
            payload,
            amountKobo: priceKobo,
            priceKobo,
            twinKey: `parking ${plate}`,
          }),
      });
    },
  );
  app.get(
    "/parking/status/:purchase_id",
    {
      config: { auth: { ...AUTH, scope: "read" }, errors: ["not_found"] },
      schema: { ...about("getParking"), params: Params, response: { 200: Purchase } },
    },
    async (request, reply) => replies.status(reply, request.params.purchase_id),
  );
  app.get(
    "/parking/purchases",
    {
      config: { auth: { ...AUTH, scope: "read" } },
      schema: {
        ...about("listParking"),
        querystring: purchaseListQuery({ plate_number: Type.Optional(Type.String()) }),
        response: { 200: PurchaseList },
      },
    },
    async (request, reply) => replies.list(reply, request.query, request.query.plate_number),
  );
  app.get(
    "/parking/receipt/:purchase_id",
    {
      config: { auth: { ...AUTH, scope: "read" }, errors: RECEIPT_ERRORS },
      schema: { ...about("getParkingReceipt"), params: Params, response: { 200: receiptContent(Receipt) } },
    },
    async (request, reply) => replyReceipt(reply, request.params.purchase_id),
  );
}
