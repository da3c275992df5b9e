import assert from "node:assert/strict";
import { test } from "node:test";
import { tokensInTheirPlace } from "./answer-tokens.ts";

const TOKEN = "12345678901234567890";
const tokens = [{ kind: "credit", value: TOKEN }];
const LONG_ID = "17590000000000000000000001";

test("a token stands in no other fact of a sale of energy, nor in the vendor's reference", () => {
  const sold = { tokens, receipt_number: `R ${TOKEN}`, tariff: "1234 5678 9012 3456 7890", cost: "970.00" };
  const said = (providerReference: string) => tokensInTheirPlace({ kind: "done", providerReference, facts: sold });
  const hidden = "**** **** **** **** 7890";
  const facts = { tokens, receipt_number: `R ${hidden}`, tariff: hidden, cost: "970.00" };
  assert.deepEqual(said(LONG_ID), { kind: "done", providerReference: LONG_ID, facts });
  for (const reference of [TOKEN, "1234-5678-9012-3456-7890", `${TOKEN}01`, "09876543210987654321"])
    assert.deepEqual(said(reference), { kind: "done", facts }, reference);
});

test("a token that has not come yet stands in no other fact either", () => {
  const said = {
    kind: "accepted",
    incomplete: true,
    providerReference: TOKEN,
    facts: { receipt_number: TOKEN },
  } as const;
  assert.deepEqual(tokensInTheirPlace(said), {
    kind: "accepted",
    incomplete: true,
    facts: { receipt_number: "**** **** **** **** 7890" },
  });
});

test("a code of letters and digits stands in no other fact either, nor in the vendor's reference", () => {
  const codes = [{ kind: "voucher", value: "SHMVHXQ9L3RX" }];
  const said = (providerReference: string) =>
    tokensInTheirPlace({ kind: "done", providerReference, facts: { tokens: codes, plan: "SHMVHXQ9L3RX, 30 days" } });
  const facts = { tokens: codes, plan: "**** L3RX, 30 days" };
  assert.deepEqual(said(LONG_ID), { kind: "done", providerReference: LONG_ID, facts });
  for (const reference of ["SHMVHXQ9L3RX", "v:SHMV-HXQ9-L3RX"])
    assert.deepEqual(said(reference), { kind: "done", facts }, reference);
});

test("numbers of twenty digits where there is no token stay as they are", () => {
  const said = { kind: "done", providerReference: TOKEN, facts: { network: "mtn", receipt_number: LONG_ID } } as const;
  assert.deepEqual(tokensInTheirPlace(said), said);
});
