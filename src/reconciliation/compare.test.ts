import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import type { StatementStatus } from "../ports/provider.ts";
import { compare, type OurAttempt, wordsOf } from "./compare.ts";
import type { StatementLine } from "./statement.ts";

let lines = 0;
const line = (status: StatementStatus | undefined, more: Partial<StatementLine> = {}): StatementLine => ({
  line: ++lines,
  reference: "r",
  id: `id${lines}`,
  amountKobo: undefined,
  costKobo: undefined,
  status,
  word: status ?? "odd",
  at: undefined,
  until: undefined,
  cells: [`${lines}`],
  ...more,
});
const attempt = (state: OurAttempt["state"], more: Partial<OurAttempt> = {}): OurAttempt => ({
  reference: "r",
  accountId: newUuid(),
  orderId: newUuid(),
  isCurrent: true,
  state,
  costKobo: undefined,
  amountKobo: undefined,
  ...more,
});
const found = (own: OurAttempt | undefined, theirs: readonly StatementLine[]) => {
  const { findings, askAgain } = compare(new Map(own && [["r", own]]), wordsOf(theirs), own ? [own] : []);
  return [...findings.map(({ kind, ours, theirs }) => `${kind} ${ours} ${theirs}`), ...askAgain.map(() => "ask")];
};

/** Our state × the vendor's lines. */
const TABLE: readonly (readonly [OurAttempt["state"], readonly (StatementStatus | undefined)[], readonly string[]])[] =
  [
    ["delivered", ["delivered"], []],
    ["delivered", [], ["unknown_to_them delivered nothing"]],
    ["delivered", ["failed"], ["status_differs delivered failed", "ask"]],
    ["delivered", ["reversed"], ["status_differs delivered reversed", "ask"]],
    ["delivered", ["delivered", "reversed"], ["status_differs delivered reversed", "ask"]],
    ["delivered", ["pending"], ["status_differs delivered pending"]],
    ["delivered", [undefined], ['status_differs delivered "odd"']],
    ["delivered", ["pending", "delivered"], []],
    ["delivered", ["failed", "delivered"], []],
    ["delivered", ["delivered", "delivered"], ["duplicate delivered 2 deliveries"]],
    ["delivered", ["delivered", "delivered", "reversed"], []],
    ["failed", [], []],
    ["failed", ["failed"], []],
    ["failed", ["reversed"], []],
    ["failed", ["delivered"], ["status_differs failed delivered", "ask"]],
    ["failed", ["pending"], ["status_differs failed pending"]],
    ["reversed", ["delivered", "reversed"], []],
    ["reversed", ["delivered"], ["status_differs reversed delivered", "ask"]],
    ["undecided", [], []],
    ["undecided", ["pending"], []],
    ["undecided", ["delivered"], ["ask"]],
    ["undecided", ["failed"], ["ask"]],
  ];
for (const [state, statuses, expected] of TABLE)
  test(`${state} by our books, ${statuses.join(" and ") || "nothing"} by theirs: ${expected.join(", ") || "no difference"}`, () => {
    assert.deepEqual(
      found(
        attempt(state),
        statuses.map((status) => line(status)),
      ),
      expected,
    );
  });

test("a line of the vendor's that is not ours is found, by its own number if it has none of ours", () => {
  assert.deepEqual(found(undefined, [line("delivered")]), ["unknown_to_us nothing delivered"]);
  const theirs = wordsOf([line("delivered", { reference: undefined, id: "17" })]);
  assert.deepEqual(theirs[0]?.reference, "without our reference: 17");
});

test("amounts are compared by what was taken from the float, and by what was bought when that is not known", () => {
  const own = attempt("delivered", { costKobo: kobo(48_500), amountKobo: kobo(50_000) });
  assert.deepEqual(found(own, [line("delivered", { costKobo: kobo(48_500), amountKobo: kobo(1) })]), []);
  assert.deepEqual(found(own, [line("delivered", { costKobo: kobo(50_000) })]), ["amount_differs 485.00 500.00"]);
  assert.deepEqual(found(own, [line("delivered", { amountKobo: kobo(50_001) })]), ["amount_differs 500.00 500.01"]);
  assert.deepEqual(found(own, [line("delivered")]), []);
});

test("an attempt that was given up is not asked about again by its order: that one stands at another", () => {
  assert.deepEqual(found(attempt("failed", { isCurrent: false }), [line("delivered")]), [
    "status_differs failed delivered",
  ]);
});

test("lines that two exports have in common are counted once, when all of them is the same", () => {
  const own = attempt("delivered");
  const same = line("delivered", { cells: ["r", "17", "delivered", "14:07"] });
  const twice = ["duplicate delivered 2 deliveries"];
  assert.deepEqual(found(own, [same, { ...same, line: 99 }]), []);
  assert.deepEqual(found(own, [same, { ...same, line: 99, cells: ["r", "17", "delivered", "14:09"] }]), twice);
  for (const id of [undefined, "1.74464E+25", "17446400000000000000000000"]) {
    const blurred = { ...same, id };
    assert.deepEqual(found(own, [blurred, { ...blurred, line: 99 }]), twice, id ?? "no number");
  }
});
