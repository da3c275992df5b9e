import assert from "node:assert/strict";
import { test } from "node:test";
import type { SmartcardAnswer } from "../../../ports/smartcard.ts";
import { readSmartcard } from "./smartcard.ts";

/** Answers of the vendor's pages and of public clients: docs/providers/vtpass.md. */

const CARD = "1212121212";
const verified = (content: object, code = "000", card = CARD): SmartcardAnswer =>
  readSmartcard({ tvProvider: "dstv", smartcardNumber: card }, 200, JSON.stringify({ code, content }));

const DSTV = {
  Customer_Name: "TEST METER",
  Status: "ACTIVE",
  Due_Date: "2025-02-06T00:00:00",
  Customer_Number: "8061522780",
  Customer_Type: "DSTV",
  commission_details: { amount: null, rate: "1.50", rate_type: "percent", computation_type: "default" },
};

test("a DStv card without a bouquet in the answer is verified, and has nothing to renew", () => {
  assert.deepEqual(verified(DSTV), { kind: "found", customer: { name: "TEST METER" }, dueDate: "2025-02-06" });
});

test("a renewal amount is read to the kobo, as a number or as a text, above and below the list price", () => {
  for (const [amount, kobo] of [
    [2500, 250_000n],
    ["7900.00", 790_000n],
    ["7,900", 790_000n],
    [63885, 6_388_500n],
    ["1850.5", 185_050n],
  ] as const)
    assert.deepEqual(
      verified({ ...DSTV, Current_Bouquet: "DStv  Compact N7900", Renewal_Amount: amount }),
      {
        kind: "found",
        customer: { name: "TEST METER" },
        currentPlan: "DStv  Compact N7900",
        renewalKobo: kobo,
        dueDate: "2025-02-06",
      },
      String(amount),
    );
});

test("an inactive card is verified: no bouquet, and zero is no renewal amount", () => {
  const inactive = { Customer_Name: "FRESH CARD", Current_Bouquet: "", Current_Bouquet_Code: "", Status: "Inactive" };
  for (const Renewal_Amount of ["0", 0, "0.00", "", null, "N/A", -50, "free"])
    assert.deepEqual(verified({ ...inactive, Renewal_Amount }), { kind: "found", customer: { name: "FRESH CARD" } });
});

test("an older answer has its due date in capitals, and several bouquets in one text", () => {
  const answer = verified({
    Customer_Name: "Mr  DsTEST",
    Status: "Open",
    DUE_DATE: "2019-07-23T00:00:00",
    Customer_Number: 48209000,
    Customer_Type: "DSTV",
    Current_Bouquet: "DStv Premium-Asia N17630 + DStv French only N6050",
    Current_Bouquet_Code: "dstv10, dstv5",
    Renewal_Amount: 2500,
  });
  assert.deepEqual(answer, {
    kind: "found",
    customer: { name: "Mr  DsTEST" },
    currentPlan: "DStv Premium-Asia N17630 + DStv French only N6050",
    renewalKobo: 250_000n,
    dueDate: "2019-07-23",
  });
});

test("a StarTimes card has a customer and a balance, which is no renewal amount", () => {
  const content = { Customer_Name: "TestMan Decoder", Balance: 54.82, WrongBillersCode: false };
  const found = { kind: "found", customer: { name: "TestMan Decoder" } };
  assert.deepEqual(verified({ ...content, Smartcard_Number: CARD }), found);
  assert.deepEqual(verified({ ...content, Smartcard_Number: 212345678 }, "000", "0212345678"), found);
  assert.deepEqual(verified({ ...content, Smartcard_Number: CARD }, "020"), found);
});

test("a card that the TV provider does not know is not found, whichever way the vendor says so", () => {
  for (const answer of [
    verified({ WrongBillersCode: true }),
    verified({ ...DSTV, WrongBillersCode: true }),
    verified({ WrongBillersCode: "true", Customer_Name: "" }),
    verified({ error: "Unable to verify this smartcard number." }),
    verified({ errors: "INVALID ARGUMENTS" }, "011"),
    verified({ errors: "PRODUCT DOES NOT EXIST" }, "012"),
  ])
    assert.equal(answer.kind, "not_found", JSON.stringify(answer));
});

test("an answer that says nothing about the card is unavailable: nobody is told that a card does not exist", () => {
  const query = { tvProvider: "dstv", smartcardNumber: CARD } as const;
  for (const answer of [
    verified({ errors: "BILLER NOT REACHABLE AT THIS POINT" }, "030"),
    verified({ errors: "INVALID CREDENTIALS" }, "087"),
    verified({}, "000"),
    verified({ Customer_Name: "N/A" }),
    verified({ Customer_Name: null }),
    verified({ ...DSTV, error: "The biller is slow today" }),
    verified({ Customer_Name: "Somebody", Smartcard_Number: "1212121213" }),
    readSmartcard(query, 200, "<html></html>"),
    readSmartcard(query, 200, ""),
    readSmartcard(query, 502, JSON.stringify({ code: "000", content: DSTV })),
    readSmartcard(query, 200, '{"code":"000","code":"030","content":{"Customer_Name":"A"}}'),
  ])
    assert.equal(answer.kind, "unavailable", JSON.stringify(answer));
});

test("a name is taken as it is written, whatever letters it has", () => {
  for (const name of ["Òkéowó Adébáyọ̀", "O'Neill-Obi, Ada (Mrs.)", "MR&MRS 2FACE", "李 小龙"])
    assert.deepEqual(verified({ Customer_Name: name }), { kind: "found", customer: { name } });
});
