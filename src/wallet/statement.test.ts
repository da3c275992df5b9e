import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { postTransfer, readWallet } from "../ledger/ledger.repo.ts";
import { acceptOrders, type NewOrder } from "../orders/accept.repo.ts";
import { changeOrders, findOrders } from "../orders/orders.repo.ts";
import { transition } from "../orders/transition.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, newTopup } from "../testing/engine.ts";
import { PARCEL, TOPUP } from "../testing/parcel.ts";
import { type Line, type LineKind, type Place, readStatement, type StatementFilters } from "./statement.ts";

const database = await makeTestDatabase();
const db = database.open();
const node = newUuid();

const walletOf = (accountId: Uuid) => ({ accountId, mode: "test" as const });

/** All of it, page by page. */
async function allLines(accountId: Uuid, filters: StatementFilters = {}, limit = 3): Promise<readonly Line[]> {
  const lines: Line[] = [];
  let after: Place | undefined;
  do {
    const page = await readStatement(db, walletOf(accountId), filters, { after, limit });
    assert.ok(page.lines.length <= limit);
    lines.push(...page.lines);
    after = page.next;
  } while (after);
  return lines;
}

const accept = (orders: readonly NewOrder[]) =>
  acceptOrders(
    db,
    orders.map((order) => ({ orders: [order], leased: false })),
    { node, leaseSeconds: 30, strict: false, recheck: false },
  );

/** What an order's vendor may say, one after the other. */
const COURSES = [["done"], ["rejected"], ["done", "report:reversed"], []] as const;

async function answer(orders: readonly NewOrder[], word: "done" | "rejected" | "report:reversed") {
  const known = await findOrders(db, orders);
  const at = new Date();
  const changes = [...known.values()].map((order) =>
    transition(order.service === "topup" ? TOPUP : PARCEL, order, word, {
      at,
      dueAt: at,
      keepLease: false,
      references: [],
    }),
  );
  const { stale } = await changeOrders(db, node, changes);
  assert.equal(stale.size, 0);
}

const brief = ({ kind, changeKobo, heldChangeKobo, balanceKobo, heldKobo }: Line) => [
  kind,
  changeKobo,
  heldChangeKobo,
  balanceKobo,
  heldKobo,
];

test("every movement is a line with the balance after it", async () => {
  const accountId = await makeCustomer(db, 10_000n);
  const [sent, refused] = [newTopup(accountId), newTopup(accountId)];
  await accept([sent, refused]);
  await answer([refused], "rejected");
  await answer([sent], "done");
  await answer([sent], "report:reversed");
  assert.deepEqual((await allLines(accountId)).map(brief), [
    ["refund", 400n, 0n, 10_000n, 0n],
    ["charge", -400n, -400n, 9_600n, 0n],
    ["return", 0n, -400n, 10_000n, 400n],
    ["hold", 0n, 400n, 10_000n, 800n],
    ["hold", 0n, 400n, 10_000n, 400n],
    ["credit", 10_000n, 0n, 10_000n, 0n],
  ]);
  const ofOrder = await allLines(accountId, { orderId: sent.id });
  assert.deepEqual(
    ofOrder.map(({ kind }) => kind),
    ["refund", "charge", "hold"],
  );
  const of = async (kind: LineKind) => (await allLines(accountId, { kind })).length;
  assert.deepEqual(
    await Promise.all((["hold", "return", "credit", "refund", "fee"] as const).map(of)),
    [2, 1, 1, 1, 0],
  );
});

test("whatever happens to orders, no two lines share an id, each agrees with the one before, and their changes add up to the wallet", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.nat({ max: 3 })), { minLength: 1, maxLength: 6 }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
      fc.integer({ min: 1, max: 7 }),
      async (batches, limit) => {
        const accountId = await makeCustomer(db, 1_000_000n);
        for (const batch of batches) {
          const orders = batch.map(([price]) => newTopup(accountId, { priceKobo: kobo(price) }));
          await accept(orders);
          for (const word of ["rejected", "done", "report:reversed"] as const) {
            const told = orders.filter((_, index) => (COURSES[batch[index]![1]] as readonly string[]).includes(word));
            if (told.length > 0) await answer(told, word);
            await assertAgreed(accountId, limit);
          }
        }
      },
    ),
    { numRuns: 12 },
  );
  assert.deepEqual(await engineFindings(database.connection), []);
});

async function assertAgreed(accountId: Uuid, limit: number): Promise<void> {
  const wallet = await readWallet(db, accountId, "test");
  const lines = await allLines(accountId, {}, limit);
  assert.deepEqual([lines[0]?.balanceKobo, lines[0]?.heldKobo], [wallet?.balanceKobo, wallet?.heldKobo]);
  let [balance, held] = [0n, 0n];
  for (const { kind, changeKobo, heldChangeKobo, movement, balanceKobo, heldKobo } of lines.toReversed()) {
    const { amountKobo, postedKobo } = movement;
    const expected: Partial<Record<LineKind, readonly [bigint, bigint]>> = {
      credit: [amountKobo, 0n],
      refund: [amountKobo, 0n],
      hold: [0n, amountKobo],
      charge: [-(postedKobo ?? 0n), -amountKobo],
      return: [0n, -amountKobo],
    };
    assert.deepEqual([changeKobo, heldChangeKobo], expected[kind]);
    balance += changeKobo;
    held += heldChangeKobo;
    assert.deepEqual([balanceKobo, heldKobo], [balance, held]);
  }
  assert.equal(new Set(lines.map(({ id }) => id)).size, lines.length, "each line has an id of its own");
}

test("a statement that lacks a movement, or does not add up, is found by the ledger's proof", async () => {
  const accountId = await makeCustomer(db, 10_000n);
  await accept([newOrder(accountId), newOrder(accountId)]);
  const broken = async (change: string, undo: string) => {
    await db.query(`update wallet_commits set ${change} where account_id = $1 and cardinality(opened) = 2`, [
      accountId,
    ]);
    const found = (await engineFindings(database.connection)).map(({ rule }) => rule);
    await db.query(`update wallet_commits set ${undo} where account_id = $1 and held_kobo > 0`, [accountId]);
    return [...new Set(found)];
  };
  const [, first, second] = (await allLines(accountId)).toReversed().map(({ movement }) => movement.id);
  const whole = `opened = '{${first},${second}}'::uuid[]`;
  const STANDS = "each movement of a wallet stands in its statement once, and the lines add up";
  assert.deepEqual(await broken(`opened = '{${first}}'::uuid[]`, whole), [STANDS]);
  assert.deepEqual(await broken("held_kobo = held_kobo + 1", "held_kobo = held_kobo - 1"), [
    "each wallet's statement ends at its balance",
    STANDS,
  ]);
  assert.deepEqual(await engineFindings(database.connection), []);
});

test("a page that was read never changes, whatever is committed meanwhile by others", async () => {
  const accountId = await makeCustomer(db);
  let busy = true;
  const writers = [1, 2, 3].map(async () => {
    while (busy) await accept([newOrder(accountId), newOrder(accountId)]);
  });
  try {
    let known: readonly string[] = [];
    const textOf = ({ place, ...line }: Line) =>
      `${place.position}.${place.number} ${brief({ place, ...line }).join(" ")}`;
    // However slow the disk is: fifteen readings, and more than half a page of what was written between them.
    for (let reads = 0; reads < 15 || known.length <= 30; reads++) {
      const texts = (await allLines(accountId, {}, 50)).map(textOf).reverse();
      assert.deepEqual(texts.slice(0, known.length), known);
      known = texts;
    }
  } finally {
    busy = false;
    await Promise.all(writers);
  }
});

test("a commit of more lines than a query reads is paged through to its end, and on to those before it", async () => {
  const accountId = await makeCustomer(db);
  const orders = Array.from({ length: 1_500 }, () => newOrder(accountId, { priceKobo: kobo(1) }));
  await acceptOrders(
    db,
    [{ orders, leased: false, group: { id: newUuid(), payload: {}, completionEvent: "bulk.completed", keys: [] } }],
    {
      node,
      leaseSeconds: 30,
      strict: false,
      recheck: false,
    },
  );
  await postTransfer(db, {
    accountId,
    id: newUuid(),
    mode: "test",
    kind: "debit",
    debit: "wallet",
    credit: "funding",
    amountKobo: kobo(5),
    reason: "a test",
    at: new Date(),
  });
  const lines = await allLines(accountId, {}, 700);
  assert.deepEqual([lines.length, lines[0]?.kind, lines.at(-1)?.kind], [1_502, "debit", "credit"]);
  assert.equal(new Set(lines.map(({ place }) => `${place.position} ${place.number}`)).size, 1_502);
  assert.equal(new Set(lines.map(({ id }) => id)).size, 1_502);
});
