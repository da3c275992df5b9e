import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Outcome } from "../ports/provider.ts";
import type { Piece } from "./order.ts";
import { isOpen, settlePieces } from "./pieces.ts";

const taken = (reference: string): Outcome => ({ kind: "accepted", providerReference: reference });
const done: Outcome = { kind: "done", providerReference: "d" };
const lost: Outcome = { kind: "unknown", detail: "no answer" };
const refused: Outcome = { kind: "rejected", scope: "route", code: "no_route", detail: "not here" };
const busy = (retryAfterMs: number): Outcome => ({ kind: "throttled", retryAfterMs, detail: "busy" });

const CASES: readonly [why: string, outcomes: readonly (Outcome | undefined)[], verdict: string, statuses: string][] = [
  ["all parts taken", [taken("a"), taken("b")], "accepted", "taken taken"],
  ["all parts delivered at once", [done, done], "done", "taken taken"],
  ["one delivered, one only taken", [done, taken("b")], "accepted", "taken taken"],
  ["the first refused: the refusal is the order's", [refused, undefined], "rejected", "refused open"],
  ["the first busy: nothing has left", [busy(5), undefined], "throttled", "open open"],
  ["the first unanswered", [lost, undefined], "unknown", "unanswered open"],
  ["a later part refused", [taken("a"), refused], "part_refused", "taken refused"],
  [
    "a refused part outweighs an unanswered one",
    [taken("a"), lost, refused],
    "part_refused",
    "taken unanswered refused",
  ],
  ["an unanswered part outweighs a busy one", [taken("a"), busy(1), lost], "unknown", "taken open unanswered"],
  ["a later part busy", [taken("a"), busy(1)], "throttled", "taken open"],
];

for (const [why, outcomes, verdict, statuses] of CASES)
  test(`${why} makes the order ${verdict}`, () => {
    const settled = settlePieces(null, outcomes);
    assert.equal(settled.verdict.kind, verdict);
    assert.equal(settled.pieces.map((piece) => piece.status).join(" "), statuses);
  });

test("the longest wait of the busy parts is waited", () => {
  const { verdict } = settlePieces(null, [taken("a"), busy(20), busy(700), busy(3)]);
  assert.equal(verdict.kind === "throttled" && verdict.retryAfterMs, 700);
});

test("the parts that were left are repeated alone, and then the order is accepted", () => {
  const before = settlePieces(null, [taken("a"), busy(1), taken("c")]).pieces;
  const { pieces, verdict } = settlePieces(before, [undefined, taken("b"), undefined]);
  assert.equal(verdict.kind, "accepted");
  assert.deepEqual(
    pieces.map((piece) => piece.reference),
    ["a", "b", "c"],
  );
});

test("what is learned with the parts is learned of the order", () => {
  const outcome = (facts: object): Outcome => ({ kind: "accepted", providerReference: "a", facts: { ...facts } });
  const { verdict } = settlePieces(null, [outcome({ network: "mtn" }), outcome({ cost: 2 })]);
  assert.deepEqual(verdict, { kind: "accepted", facts: { network: "mtn", cost: 2 } });
});

const anyOutcome = fc.oneof(
  fc.string().map(taken),
  fc.constantFrom(done, lost, refused),
  fc.nat(1_000).map(busy),
  fc.constant(undefined),
);
const anyPiece: fc.Arbitrary<Piece> = fc.record({
  status: fc.constantFrom("open", "unanswered", "taken", "refused", "sent", "delivered", "undelivered"),
});

test("whatever the answers say, what is known of a part is never forgotten and no part is lost", () => {
  fc.assert(
    fc.property(
      fc.option(fc.array(anyPiece, { maxLength: 5 })),
      fc.array(anyOutcome, { maxLength: 5 }),
      (before, outcomes) => {
        const { pieces } = settlePieces(before, outcomes);
        assert.equal(pieces.length, Math.max(before?.length ?? 0, outcomes.length));
        for (const [index, piece] of (before ?? []).entries())
          if (!isOpen(piece)) assert.deepEqual(pieces[index], piece);
      },
    ),
  );
});

test("an order is accepted only when no part may still have to be sent", () => {
  fc.assert(
    fc.property(
      fc.option(fc.array(anyPiece, { maxLength: 5 })),
      fc.array(anyOutcome, { maxLength: 5 }),
      (before, outcomes) => {
        const { pieces, verdict } = settlePieces(before, outcomes);
        if (verdict.kind === "accepted" || verdict.kind === "done") assert.ok(!pieces.some((piece) => isOpen(piece)));
      },
    ),
  );
});
