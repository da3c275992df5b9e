import assert from "node:assert/strict";
import type { Db } from "../../src/db/database.ts";
import { decodeId } from "../../src/kernel/ids.ts";
import type { Answer } from "../../src/testing/gateway.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import type { Money, Problem, Subscriber } from "./rig.ts";

/** A purchase as subscribers see it. */
export interface Purchase {
  readonly id: string;
  readonly object: "airtime" | "data" | "electricity" | "cable" | "purchase_check";
  readonly mode: "live" | "test";
  readonly status: "processing" | "successful" | "failed" | "reversed";
  readonly to: string;
  readonly network?: string;
  readonly network_guess?: string;
  readonly meter_number?: string;
  readonly disco?: string;
  readonly customer?: { readonly name: string; readonly address: string | null };
  readonly plan?: { readonly plan_id: string; readonly name: string };
  readonly amount: Money;
  readonly price: Money & { readonly tax: string };
  readonly discount: Money;
  readonly fee?: Money;
  readonly charge: "held" | "charged" | "returned" | "refunded";
  readonly tokens?: readonly { readonly kind: string; readonly value: string; readonly units_kwh?: string }[];
  readonly token_pending?: boolean;
  readonly units_kwh?: string;
  readonly breakdown?: { readonly energy?: Money; readonly vat?: Money; readonly arrears?: Money };
  readonly notify?: {
    readonly channel: string;
    readonly status: string;
    readonly message_id?: string;
    readonly price?: Money;
    readonly failure?: { readonly code: string; readonly detail: string };
  };
  readonly failure?: { readonly code: string; readonly detail: string };
  readonly provider_reference?: string;
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly timeline?: readonly { readonly status: string; readonly at: string; readonly detail?: string }[];
  readonly next_check_at?: string;
  readonly created_at: string;
  readonly completed_at?: string;
}

/** What a POST that buys answers with: the purchase, or a problem that may have one in it. */
export type Bought = Purchase &
  Partial<Omit<Problem, "status">> & {
    readonly purchase?: Purchase;
    readonly valid?: true;
    readonly product?: string;
    readonly verification?: { readonly verification_id: string };
    readonly minimum_amount?: Money;
    readonly maximum_amount?: Money;
  };

let keys = 0;

/** A POST that buys, under a key of its own unless told. */
export const buy = (
  subscriber: Pick<Subscriber, "post">,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<Bought>> => {
  keys += 1;
  return subscriber.post(path, body, { "idempotency-key": `key-${keys}`, ...headers });
};

/** The purchase that an answer is about, whatever it says of it. */
export function purchaseIn({ body }: Answer<Bought>): Purchase {
  const purchase = body.purchase ?? body;
  assert.match(purchase.id, /^pur_/, JSON.stringify(body));
  return purchase;
}

/** The purchase once it has the status. */
export const purchaseBecomes = (
  subscriber: Pick<Subscriber, "get">,
  { id, object }: Pick<Purchase, "id" | "object">,
  status: Purchase["status"],
): Promise<Purchase> =>
  waitFor(`${id} is ${status}`, async () => {
    const service = object === "data" || object === "purchase_check" ? "airtime" : object;
    const answer = await subscriber.get<Purchase>(`/${service}/status/${id}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.status === status ? answer.body : undefined;
  });

/** Tokens that the meter was sold, of the caller's own. */
export async function meterTokens(subscriber: Pick<Subscriber, "get">, meter: string) {
  const { status, body } = await subscriber.get<{
    tokens: readonly { kind: string; value: string; units_kwh: string; purchase_id: string }[];
  }>(`/test/meters/${meter}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.tokens;
}

/** The types of the events that subscribers see of a purchase, in order. */
export async function eventsOf(db: Db, { id }: Pick<Purchase, "id">): Promise<readonly string[]> {
  const { rows } = await db.query<{ type: string }>(
    "select type from events where order_id = $1 and type is not null order by sequence",
    [decodeId("pur", id)],
  );
  return rows.map(({ type }) => type);
}

/** What arrived at the handset, of the caller's own. */
export async function arrivals(subscriber: Pick<Subscriber, "get">, phone: string) {
  const { body } = await subscriber.get<{
    airtime: readonly { amount: Money; purchase_id: string; reversed?: true }[];
    data: readonly { plan: string; purchase_id: string; reversed?: true }[];
  }>(`/test/handsets/${encodeURIComponent(phone)}`);
  return body;
}
