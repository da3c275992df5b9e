import assert from "node:assert/strict";
import { test } from "node:test";
import { purchaseSteps } from "./order-steps.ts";

const at = (second: number): Date => new Date(Date.UTC(2026, 9, 3, 10, 42, second));
const row = (second: number, from: string, to: string, detail: Record<string, unknown> | null = null) => ({
  at: at(second),
  previous_status: from,
  status: to,
  detail,
});
const begun = (second: number, more: object = {}) => ({ begun_at: at(second).toISOString(), route: "vtpass", ...more });
const ATTEMPT = { attempt: 1, route: "vtpass", reference: "202610031142abcdefgh", begunAt: at(0) };

test("a purchase's call, its answer and the questions after it are told apart, and equal answers in a row are one line", () => {
  const shown = purchaseSteps(
    [
      row(0, "processing", "processing"),
      row(2, "processing", "processing", begun(0, { answer: "no whole answer within 2000 ms" })),
      row(3, "processing", "processing", begun(3)),
      row(4, "processing", "processing", begun(4)),
      row(5, "processing", "processing", { requery: "HTTP 502" }),
      row(6, "processing", "token_pending", begun(6)),
      row(7, "token_pending", "token_pending", begun(7)),
      row(8, "token_pending", "token_pending", begun(8)),
      row(9, "token_pending", "token_pending", begun(9)),
      row(10, "token_pending", "successful", begun(10)),
    ],
    [ATTEMPT],
  );
  assert.deepEqual(
    shown.map(({ step, note }) => [step, note]),
    [
      ["sent to vtpass", "as 202610031142abcdefgh"],
      ["answered", "no whole answer within 2000 ms"],
      ["asked 2 times", "last at 2026-10-03T10:42:04.000Z: taken; no end is told"],
      ["asked", "HTTP 502"],
      ["processing → token_pending", "begun at 2026-10-03T10:42:06.000Z; route vtpass"],
      ["asked 3 times", "last at 2026-10-03T10:42:09.000Z: delivered; the token has not come"],
      ["token_pending → successful", "begun at 2026-10-03T10:42:10.000Z; route vtpass"],
    ],
  );
  assert.deepEqual(shown[2]?.at, at(3), "a fold stands where it began");
});

test("a call that was never heard is told as sent again, under its reference", () => {
  const shown = purchaseSteps(
    [
      row(0, "processing", "processing"),
      row(40, "processing", "processing", begun(0, { answer: "015 INVALID REQUEST ID" })),
      row(41, "processing", "processing"),
      row(42, "processing", "successful", begun(41)),
    ],
    [ATTEMPT],
  );
  assert.deepEqual(shown[2], { at: at(41), step: "sent again to vtpass", note: "as 202610031142abcdefgh" });
});

test("the answer to a repeated call is an answer, and the questions after it are none", () => {
  const shown = purchaseSteps(
    [
      row(0, "processing", "processing"),
      row(40, "processing", "processing", begun(0, { answer: "no whole answer within 2000 ms" })),
      row(41, "processing", "processing"),
      row(42, "processing", "processing", begun(41, { answer: "no whole answer within 2000 ms" })),
      row(44, "processing", "processing", begun(43)),
      row(45, "processing", "processing"),
      row(46, "processing", "processing", begun(45)),
    ],
    [ATTEMPT],
  );
  assert.deepEqual(
    shown.map(({ step }) => step),
    ["sent to vtpass", "answered", "sent again to vtpass", "answered", "asked", "sent again to vtpass", "answered"],
  );
});

test("what an order-changing or unknown row says is left as it is", () => {
  const late = row(1, "successful", "successful", { late_answer: "done", attempt: 1 });
  assert.deepEqual(purchaseSteps([late], []), [
    { at: at(1), step: "successful → successful", note: "late answer done; attempt 1" },
  ]);
});

test("a delivery after the money had gone back is told as one", () => {
  const rows = [
    row(2, "processing", "failed", begun(0, { answer: "016 TRANSACTION FAILED" })),
    row(4, "failed", "failed", begun(4)),
    row(6, "failed", "failed", begun(6, { answer: "040 REVERSED" })),
  ];
  assert.deepEqual(
    purchaseSteps(rows, [ATTEMPT])
      .slice(1)
      .map(({ step, note }) => [step, note]),
    [
      ["asked", "delivered, after its money had gone back"],
      ["asked", "040 REVERSED"],
    ],
  );
});
