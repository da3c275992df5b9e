import assert from "node:assert/strict";
import { readWallet } from "../../src/ledger/ledger.repo.ts";
import type { Order } from "../../src/orders/order.ts";
import { findOrder } from "../../src/orders/orders.repo.ts";
import type { SeenVend } from "../../src/simulators/vendors/client.ts";
import type { End } from "../../src/simulators/vendors/contract.ts";
import type { Product } from "../../src/simulators/vendors/products.ts";
import { PRODUCTS } from "./products.ts";
import { BALANCE_KOBO, PRICE_KOBO, sellerOf, type VendorRig } from "./rig.ts";

/** What the order says, the wallet, the events, the vendor's own books and the far end, of one purchase: they must agree. */

export interface Place {
  readonly rig: VendorRig;
  readonly vendor: string;
  readonly product: Product;
}

/** What a state of the order means for everybody else. */
const MEANS = {
  successful: { available: BALANCE_KOBO - PRICE_KOBO, held: 0n, books: ["delivered"], events: ["successful"] },
  failed: { available: BALANCE_KOBO, held: 0n, books: [], events: ["failed"] },
  reversed: { available: BALANCE_KOBO, held: 0n, books: ["reversed"], events: ["successful", "reversed"] },
  processing: { available: BALANCE_KOBO - PRICE_KOBO, held: PRICE_KOBO, books: ["pending"], events: [] },
  token_pending: {
    available: BALANCE_KOBO - PRICE_KOBO,
    held: PRICE_KOBO,
    books: ["tokenless"],
    events: ["token_pending"],
  },
} as const;

const BOOKS = {
  delivered: ["delivered"],
  "delivered twice": ["delivered", "delivered"],
  reversed: ["reversed"],
  nothing: [],
} as const;

export async function assertAgreed({ rig, vendor, product }: Place, id: Pick<Order, "accountId" | "id">, end: End) {
  const order = (await findOrder(rig.db, id.accountId, id.id))!;
  const means = MEANS[end.state];
  assert.equal(order.state, end.state);
  assert.equal((order.facts?.failure as { code: string } | undefined)?.code, end.failure);
  assert.equal(order.pieces?.some(({ denied_at }) => denied_at !== undefined) ?? false, end.denied ?? false, "denied");

  const wallet = await readWallet(rig.db, order.accountId, "test");
  assert.deepEqual([wallet?.availableKobo, wallet?.heldKobo], [means.available, means.held], "the wallet");
  assert.equal(await lossesOf(rig, order), end.loss ? 1 : 0, "losses");

  const before = end.tokenLate ? ["token_pending"] : [];
  assert.deepEqual(
    await eventsOf(rig, order),
    [...before, ...means.events].map((word) => `${product}.${word}`),
    "events",
  );

  const vends = await rig.simulator.vends(vendor, { recipient: order.recipient });
  const expected = end.vendor ? BOOKS[end.vendor] : end.loss ? BOOKS.delivered : means.books;
  assert.deepEqual(inTheBooks(vends, product), expected, "the vendor's books");
  await assertCalledOnce(rig, vendor, order, end);
  await PRODUCTS[product].assertReceived(rig, order, vends, end);
}

const hasTokens = (product: Product): boolean => PRODUCTS[product].traits.includes("yields tokens");

/** The states of what the vendor has not given up, as far as the product has them. */
const inTheBooks = (vends: readonly SeenVend[], product: Product): string[] =>
  vends
    .map(({ state }) => (state === "tokenless" && !hasTokens(product) ? "delivered" : state))
    .filter((state) => state !== "failed");

const lossesOf = async ({ db }: VendorRig, { id }: Order): Promise<number> =>
  (await db.query("select 1 from transfers where order_id = $1 and kind = 'loss'", [id])).rows.length;

const eventsOf = async ({ db }: VendorRig, { id }: Order): Promise<string[]> =>
  (
    await db.query<{ type: string }>(
      "select type from events where order_id = $1 and type is not null order by sequence",
      [id],
    )
  ).rows.map(({ type }) => type);

/**
 * Under each committed reference the vendor was asked to vend once; again only after it was turned away at the door. A reference whose
 * call did not even reach the vendor, on a machine too busy to connect in time, is followed by another.
 */
async function assertCalledOnce(rig: VendorRig, vendor: string, order: Order, end: End): Promise<void> {
  const { rows } = await rig.db.query<{ reference: string }>(
    "select reference from attempts where order_id = $1 order by attempt",
    [order.id],
  );
  const { vendPath } = sellerOf(vendor);
  const calls = (await rig.simulator.calls(vendor)).filter(({ path }) => vendPath.test(path));
  const sent = rows
    .map(({ reference }) => ({ reference, own: calls.filter(({ body }) => body.includes(`"${reference}"`)) }))
    .filter(({ own }) => own.length > 0);
  assert.equal(sent.length, end.attempts ?? 1, "attempts that reached the vendor");
  assert.equal(sent.at(-1)?.reference, rows.at(-1)?.reference, "the last attempt reached it");
  for (const { reference, own } of sent)
    assert.ok(
      own.slice(0, -1).every(({ status }) => status === 401),
      `${reference} was sent ${own.length} times`,
    );
}
