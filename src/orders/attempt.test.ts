import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { makeCustomer, makeEngine, newOrder, newTopup } from "../testing/engine.ts";
import { accept } from "../testing/engine-rig.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { IS_NEW, IS_PURCHASE_BEGUN } from "./attempt.repo.ts";
import { ATTEMPT_STATES, type AttemptColumns, type AttemptState, attemptNeeds, attemptState } from "./attempt.ts";
import type { Piece } from "./order.ts";
import { findOrder } from "./orders.repo.ts";
import { hintOrder } from "./reports.repo.ts";

const AT = new Date("2026-11-27T09:00:00.000Z");
const EITHER = [null, AT];
const PIECES: readonly (readonly Piece["status"][] | null)[] = [
  null,
  ["open"],
  ["unheard"],
  ["unanswered"],
  ["taken"],
  ["refused"],
  ["taken", "open"],
];

/** Every combination of the columns that the state is read from. */
const COMBINATIONS: readonly AttemptColumns[] = (["requery", "retry", "fail"] as const).flatMap((ambiguity) =>
  EITHER.flatMap((begunAt) =>
    EITHER.flatMap((ambiguousAt) =>
      EITHER.flatMap((failedAt) =>
        EITHER.flatMap((endedAt) =>
          PIECES.map((statuses) => ({
            ambiguity,
            begunAt,
            ambiguousAt,
            failedAt,
            endedAt,
            pieces: statuses?.map((status) => ({ status })) ?? null,
          })),
        ),
      ),
    ),
  ),
);

/** The columns that make each state; of all others the default is null. */
const PURCHASES: Readonly<Record<AttemptState, Partial<AttemptColumns>>> = {
  new: {},
  begun: { begunAt: AT, pieces: [{ status: "open" }] },
  to_repeat: { pieces: [{ status: "unheard" }] },
  repeated: { begunAt: AT, pieces: [{ status: "unheard" }] },
  doubted: { ambiguousAt: AT, pieces: [{ status: "open" }] },
  unanswered: { ambiguousAt: AT, pieces: [{ status: "unanswered" }] },
  taken: { ambiguousAt: AT, pieces: [{ status: "taken" }] },
  settled: { endedAt: AT, pieces: [{ status: "taken" }] },
};

for (const [state, columns] of Object.entries(PURCHASES))
  test(`a purchase whose attempt is ${state} is read from its columns`, () =>
    assert.equal(attemptState({ ...SMS_ORDER, pieces: null, ambiguity: "requery", ...columns }), state));

test("an attempt that its vendor called failed is unanswered, whatever else is known of it", () => {
  for (const columns of COMBINATIONS)
    if (columns.failedAt && !columns.endedAt)
      assert.equal(attemptState(columns), "unanswered", JSON.stringify(columns));
});

test("a message is only new, begun, repeated, unanswered, taken or settled", () => {
  const states = new Set(COMBINATIONS.filter(({ ambiguity }) => ambiguity !== "requery").map(attemptState));
  for (const state of ATTEMPT_STATES)
    assert.equal(states.has(state), state !== "to_repeat" && state !== "doubted", state);
});

test("nothing is sent of a purchase that its vendor may have, except under the same reference", () => {
  for (const columns of COMBINATIONS.filter(({ ambiguity }) => ambiguity === "requery")) {
    const isSendable = attemptNeeds(columns) === "nothing";
    assert.equal(isSendable, ["new", "to_repeat"].includes(attemptState(columns)));
    if (isSendable) assert.ok(columns.pieces === null || columns.pieces[0]?.status === "unheard");
  }
});

test("the database's conditions and attemptState agree on every combination of columns", async () => {
  const db = (await makeTestDatabase()).open();
  const engine = makeEngine(db, [], { role: "api" });
  const accountId = await makeCustomer(db, 1_000_000n);
  for (const columns of COMBINATIONS) {
    const { ambiguity, begunAt, ambiguousAt, failedAt, endedAt, pieces } = columns;
    const isPurchase = ambiguity === "requery";
    const { id } = await accept(engine, isPurchase ? newTopup(accountId) : newOrder(accountId, { ambiguity }));
    await db.query(
      `update orders set begun_at = $2, ambiguous_at = $3, failed_at = $4, ended_at = $5, pieces = $6, attempt = 1,
                         leased_by = null, leased_until = null where id = $1`,
      [id, begunAt, ambiguousAt, failedAt, endedAt, pieces && JSON.stringify(pieces)],
    );
    const stored = (await findOrder(db, accountId, id))!;
    const state = attemptState(stored);
    const said = JSON.stringify(columns);
    assert.equal(state, attemptState(columns), said);
    const { rows } = await db.query<{ is_new: boolean; is_purchase_begun: boolean }>(
      `select ${IS_NEW} as is_new, ${IS_PURCHASE_BEGUN} as is_purchase_begun from orders where id = $1`,
      [id],
    );
    assert.deepEqual(rows, [{ is_new: state === "new", is_purchase_begun: isPurchase && state !== "new" }], said);
    if (!isPurchase || (pieces?.length ?? 0) > 1) continue;
    const reference = `our-${id}`;
    await db.query(
      "insert into attempts (route, reference, account_id, order_id, attempt, begun_at) values ('north', $1, $2, $3, 1, now())",
      [reference, accountId, id],
    );
    await hintOrder(db, "north", reference);
    const isDoubted = (await findOrder(db, accountId, id))!.version > stored.version;
    assert.equal(isDoubted, ["new", "to_repeat", "repeated"].includes(state), `a hint of ${said}`);
  }
});
