import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { inAWord } from "../../testing/purchase-task.ts";
import { outcomeOf } from "./outcomes.ts";
import { type Meaning, STATUSES } from "./statuses.ts";

const REFERENCE = "0199a0b000007000800000000000000a-1";
const A = "12345678901234567890";
const judge = (call: "vend" | "requery", status: number, body: unknown) =>
  outcomeOf({
    call,
    status,
    text: typeof body === "string" ? body : JSON.stringify(body),
    reference: REFERENCE,
    meter: "04123456784",
    disco: "IKEJA",
    payload: { amount_kobo: "200000" },
  });

/** As the vendor's samples have them. */
const DATA = { id: 7_363_659, orderId: REFERENCE, token: "1234-5678-9012-3456-7890", units: "12.8", responseCode: 100 };
const VENDED = { status: true, message: "Successful transaction", responseCode: 200, data: DATA };
const DEBT = { vendAmount: "1500.00", debtAmount: "500.00", totalAmountPaid: 2100, charges: "100" };
const FAILED = "rejected route vendor_failed";
const LISTED = { status: false, error: true, responseCode: 202, message: "in progress", delay: [120, 120, 120] };

const ANSWERS: readonly (readonly [
  name: string,
  call: "vend" | "requery",
  status: number,
  body: unknown,
  word: string,
])[] = [
  ["vended", "vend", 200, VENDED, "done"],
  ["vended, with codes as texts", "vend", 200, { ...VENDED, responseCode: "100" }, "done"],
  ["vended, wrapped once more", "requery", 200, { result: VENDED }, "done"],
  ["vended, with the code in the data alone", "requery", 200, { result: { status: true, data: DATA } }, "done"],
  ["vended for another orderId", "requery", 200, { result: { ...VENDED, data: { ...DATA, orderId: "x" } } }, "unknown"],
  ["vended by its code, not by its status", "vend", 200, { ...VENDED, status: false }, "unknown"],
  ["vended, the vend's own code says no", "vend", 200, { ...VENDED, data: { ...DATA, responseCode: 202 } }, "unknown"],
  ["vended, without data", "vend", 200, { status: true, responseCode: 200 }, "unknown"],
  ["vended, under another HTTP status", "vend", 201, VENDED, "unknown"],
  ["in progress, in the data", "vend", 202, { data: LISTED }, "accepted"],
  ["in progress, without a list", "vend", 202, { status: false, responseCode: 202 }, "accepted"],
  ["in progress by its list, whatever the HTTP status", "requery", 400, LISTED, "accepted"],
  [
    "failed",
    "requery",
    400,
    { status: false, responseCode: 202, message: "Transaction failed." },
    "rejected route vendor_failed",
  ],
  ["failed, as the answer to a vend", "vend", 400, { status: false, responseCode: 202 }, "unknown"],
  ["nobody knows the orderId, on vend", "vend", 404, { status: false, responseCode: 20 }, "unknown"],
  ["a 404 of something in front", "requery", 404, { status: false, responseCode: 404 }, "unknown"],
  ["a 401 without JSON", "vend", 401, "<html>", "rejected route no_route alarm"],
  ["a 401 on requery", "requery", 401, { responseCode: 401 }, "unknown"],
  ["a 501 of something in front", "vend", 501, "<html>", "unknown"],
  ["no responseCode", "vend", 200, { status: true, data: { units: "1" } }, "unknown"],
  ["a list", "vend", 200, [VENDED], "unknown"],
  ["vended, without an orderId", "vend", 200, { ...VENDED, data: { ...DATA, orderId: undefined } }, "unknown"],
  ["vended to our meter", "vend", 200, { ...VENDED, data: { ...DATA, meterNo: "04123456784" } }, "done"],
  ["vended to it, as a number", "vend", 200, { ...VENDED, data: { ...DATA, meter: 4123456784 } }, "done"],
  ["vended to another meter", "vend", 200, { ...VENDED, data: { ...DATA, meter: "1" } }, "unknown"],
  [
    "vended with charges",
    "vend",
    200,
    { ...VENDED, data: { ...DATA, vendAmount: 2000, totalAmountPaid: 2100 } },
    "done",
  ],
  ["vended with a debt and a charge", "vend", 200, { ...VENDED, data: { ...DATA, ...DEBT } }, "done"],
  ["vended for another amount", "vend", 200, { ...VENDED, data: { ...DATA, vendAmount: 5 } }, "unknown"],
  ["vended and failed at once", "requery", 200, JSON.stringify(VENDED).replace("{", '{"responseCode":202,'), "unknown"],
  ["failed, and vended by its data", "requery", 400, { responseCode: 202, data: { responseCode: 100 } }, "unknown"],
  ["failed, with a token", "requery", 400, { responseCode: 202, data: { token: A } }, "unknown"],
  ["failed, with a token in its words", "requery", 400, { responseCode: 202, message: `Token: ${A}` }, "unknown"],
  ["nobody knows the orderId, with a token", "requery", 404, { responseCode: 20, parcels: [A] }, "unknown"],
  ["failed, with zeros for a token", "requery", 400, { responseCode: 202, data: { token: "0".repeat(20) } }, FAILED],
  ["half of it", "vend", 200, JSON.stringify(VENDED).slice(0, 60), "unknown"],
  ["nothing", "vend", 200, "", "unknown"],
];
for (const [name, call, status, body, word] of ANSWERS)
  test(`to ${call}, HTTP ${status}, ${name}: ${word}`, () => {
    assert.equal(inAWord(judge(call, status, body)), word);
  });

for (const [delay, askAgainMs] of [
  [[20, 20], 20_000],
  [["20"], 20_000],
  [[0], undefined],
  [[-5], undefined],
  [[1.5], undefined],
  [[99_999], undefined],
  [[], undefined],
  ["20", undefined],
  [{ 0: 20 }, undefined],
] as const)
  test(`the delays ${JSON.stringify(delay)} ask for the next requery in ${askAgainMs ?? "our own number of"} ms`, () => {
    const outcome = judge("vend", 202, { ...LISTED, delay });
    assert.deepEqual(outcome, askAgainMs === undefined ? { kind: "accepted" } : { kind: "accepted", askAgainMs });
  });

test("whatever comes back, it is vended only by its code, and failed or not found only as the table has it", () => {
  const code = fc.oneof(fc.constantFrom(20, 100, 200, 201, 202, 203, 400, 500, 501, 502, 503, "100"), fc.jsonValue());
  const data = fc.oneof(fc.constant(DATA), fc.jsonValue());
  const envelope = fc.record(
    { status: fc.boolean(), responseCode: code, data, delay: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const status = fc.constantFrom(200, 201, 202, 204, 302, 400, 401, 403, 404, 409, 422, 429, 500, 501, 502, 503, 504);
  fc.assert(
    fc.property(
      fc.constantFrom("vend", "requery"),
      status,
      fc.oneof(envelope, fc.record({ result: envelope }), fc.jsonValue()),
      (call, http, body) => {
        const outcome = judge(call, http, body);
        if (outcome.kind === "done" || ("incomplete" in outcome && outcome.incomplete)) assert.equal(http, 200);
        if (outcome.kind === "not_found") assert.deepEqual([call, http], ["requery", 404]);
        if (outcome.kind === "rejected") assert.ok([200, 400, 401, 403, 422, 501].includes(http));
        assert.ok(outcome.kind !== "reversed" && outcome.kind !== "throttled");
      },
    ),
  );
});

const parcels = (...pairs: readonly (readonly [type: string, content: unknown])[]) => ({
  ...DATA,
  token: "",
  parcels: pairs.map(([type, content]) => ({ type, content })),
});
const B = "09876543210987654321";
const K1 = "11111111112222222222";
const K2 = "33333333334444444444";
const ZEROS = "0000-0000-0000-0000-0000";

const PARCELS: readonly (readonly [name: string, data: object, kinds: readonly string[]])[] = [
  [
    "in the vendor's order",
    parcels(["TOKEN", A], ["BONUS", B], ["KCT1", K1], ["KCT2", K2]),
    ["kct1", "kct2", "credit", "bonus"],
  ],
  ["in small letters", parcels(["token", A]), ["credit"]],
  ["with zeros where there is none", parcels(["TOKEN", A], ["KCT1", ZEROS], ["KCT2", ZEROS]), ["credit"]],
  ["of zeros alone", { ...parcels(["TOKEN", ZEROS]), token: ZEROS }, []],
  ["of a key change alone", parcels(["KCT1", A], ["KCT2", B]), []],
  ["of two energy tokens", parcels(["TOKEN", A], ["TOKEN", B]), ["credit", "credit"]],
  ["of the same token twice", parcels(["TOKEN", A], ["TOKEN", "1234-5678-9012-3456-7890"]), ["credit"]],
  ["of a kind with one word", parcels(["RESET", B], ["TOKEN", A]), ["credit"]],
  ["of a type that nobody knows", parcels(["KMS", B], ["ELECTRICITY", A]), ["credit"]],
  ["of such a type beside a token", { ...parcels(["KMS", B], ["ELECTRICITY", A]), token: A }, ["credit"]],
  ["of another such type", parcels(["KRN", B], ["Prepaid", A]), ["credit"]],
  ["of no word at all", parcels(["Q7", B], ["Normal Sale", A]), ["credit"]],
  ["that clear a tamper", parcels(["Clear tamper", B], ["TOKEN", A]), ["credit"]],
  ["called tokens, that clear a tamper", parcels(["Clear tamper token", B], ["Credit token", A]), ["credit"]],
  ["of an unknown type alone", parcels(["KMS", B]), []],
  ["of the first part twice", parcels(["TOKEN", A], ["KCT1", K1], ["KCT2", K1]), []],
  ["of the energy three times", parcels(["TOKEN", A], ["KCT1", A], ["KCT2", A]), []],
  [
    "with a key change by number",
    { ...DATA, token: A, keyChange: { token1: K1, token2: K2 } },
    ["kct1", "kct2", "credit"],
  ],
  ["with a key update", { ...DATA, token: A, updateKeyToken1: K1, updateKeyToken2: K2 }, ["kct1", "kct2", "credit"]],
  ["that is no list, beside a token", { ...DATA, parcels: "none" }, ["credit"]],
  ["above 2^66", parcels(["TOKEN", "73786976294838206464"]), []],
];
for (const [name, data, kinds] of PARCELS)
  test(`parcels ${name} are ${kinds.join(", ") || "no token yet"}`, () => {
    const outcome = judge("vend", 200, { ...VENDED, data });
    assert.equal(inAWord(outcome), kinds.length === 0 ? "incomplete" : "done");
    const tokens = ("facts" in outcome && outcome.facts?.tokens) || [];
    assert.deepEqual(
      (tokens as { kind: string }[]).map(({ kind }) => kind),
      kinds,
    );
  });

for (const [name, data, word, why] of [
  ["of an unknown kind", parcels(["TOKEN", A], ["RESET", B]), "done", /not taken: "content" \(…4321\)/],
  ["of an unknown type", { ...parcels(["KMS", B], ["ELECTRICITY", A]), token: A }, "done", /"content" \(…4321\)/],
  ["of an unknown type alone", parcels(["KMS", B]), "incomplete", /"content" \(…4321\)/],
  ["whose parts are the same", parcels(["TOKEN", A], ["KCT1", B], ["KCT2", B]), "incomplete", /^the same token came/],
  ["with half a key change", parcels(["TOKEN", A], ["KCT1", B]), "incomplete", /^half a key change/],
  ["without energy", parcels(["KCT1", A], ["KCT2", B]), "incomplete", /not taken/],
  ["with a digit less", parcels(["TOKEN", A.slice(1)]), "incomplete", /"content" has no whole token/],
  ["with numbers of its own", { ...DATA, vendRef: "18229134335262945000", receiptNo: B }, "done", undefined],
] as const)
  test(`parcels ${name} are ${why ? "in doubt" : "in no doubt"}`, () => {
    const outcome = judge("vend", 200, { ...VENDED, data });
    assert.equal(inAWord(outcome), word);
    const doubt = "doubt" in outcome ? outcome.doubt : undefined;
    assert.equal(doubt === undefined, why === undefined);
    if (why) assert.match(doubt?.why ?? "", why);
  });

test("a vend with a member twice is in doubt, with its answer", () => {
  const text = JSON.stringify({ ...VENDED, data: DATA }).replace('"token":', `"token":"${B}","token":`);
  const outcome = judge("vend", 200, text);
  assert.equal(outcome.kind, "unknown");
  assert.equal("doubt" in outcome && outcome.doubt?.answer, text);
});

test("a vend after charges says what was delivered", () => {
  const told = (more: object) => {
    const outcome = judge("vend", 200, { ...VENDED, data: { ...DATA, ...more } });
    return outcome.kind === "done" && outcome.facts?.delivered_amount;
  };
  const paid = 2_000;
  assert.equal(told({ vendAmount: paid - 100, charges: 100 }), `${paid - 100}.00`);
  assert.equal(told({ vendAmount: paid, charges: 100 }), undefined);
  assert.equal(told({ vendAmount: paid - 500, debtAmount: 500 }), undefined);
});

test("units belong to the one energy token, free units to the bonus", () => {
  const outcome = judge("vend", 200, { ...VENDED, data: { ...parcels(["TOKEN", A], ["BONUS", B]), freeUnits: 5 } });
  assert.deepEqual("facts" in outcome && outcome.facts?.tokens, [
    { kind: "credit", value: A, units_kwh: "12.8" },
    { kind: "bonus", value: B, units_kwh: "5" },
  ]);
});

const WORDS: Readonly<Record<Meaning["kind"], string>> = {
  delivered: "vended",
  pending: "pending",
  rejected: "rejected",
  not_found: "not found",
  unknown: "unknown",
};
const inWords = (meaning: Meaning): string => {
  if (meaning.kind !== "rejected") return WORDS[meaning.kind];
  return `rejected (${meaning.scope})${meaning.alarm === undefined ? `: \`${meaning.code}\`` : ", operator alarm"}`;
};

test("the page of this vendor has the table of the code", () => {
  const page = readFileSync(new URL("../../../docs/providers/buypower.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| (\d{3}) \| (\S*) ?\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)];
  const told = rows.map(([, http, code, says, vend, requery]) => [
    code ? `${http}/${code}` : http,
    says,
    vend,
    requery,
  ]);
  const table = Object.entries(STATUSES).map(([key, { says, vend, requery }]) => [
    key,
    says,
    inWords(vend),
    inWords(requery),
  ]);
  assert.deepEqual(told, table);
});
