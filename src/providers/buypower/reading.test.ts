import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { readAvailability } from "./discos.ts";
import { vendBody } from "./requests.ts";
import { readSettings } from "./settings.ts";
import { readVerification } from "./verification.ts";
import { isSigned } from "./wire/signature.ts";

const QUERY = { disco: "abuja-electric", meterNumber: "12345678910", meterType: "prepaid" } as const;
const METER = {
  error: false,
  vendType: "PREPAID",
  meterNo: "12345678910",
  responseCode: 100,
  name: "TEST",
  address: "",
};

const METERS: readonly (readonly [name: string, status: number, body: unknown, kind: string])[] = [
  ["a name", 200, METER, "found"],
  ["no name", 200, { ...METER, name: "" }, "unavailable"],
  ["another code", 200, { ...METER, responseCode: 202 }, "unavailable"],
  ["another meter", 200, { ...METER, meterNo: "1" }, "unavailable"],
  ["a refusal", 400, { status: false, responseCode: 400, message: "Invalid meter number" }, "not_found"],
  ["a page under 400", 400, "<html>", "unavailable"],
  ["a wrong token", 401, { status: false, responseCode: 401 }, "unavailable"],
  ["a disco that is away", 503, { status: false, responseCode: 502 }, "unavailable"],
];
for (const [name, status, body, kind] of METERS)
  test(`a check of a meter, HTTP ${status}, with ${name} is ${kind}`, () => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    assert.equal(readVerification(QUERY, status, text).kind, kind);
  });

test("amounts of a meter are read whatever their spelling, and zero is as good as missing", () => {
  const text = JSON.stringify({ ...METER, outstanding: 0, minVendAmount: 350.5, maxVendAmount: "10,000,000" });
  assert.deepEqual(readVerification(QUERY, 200, text), {
    kind: "found",
    meterType: "prepaid",
    customer: { name: "TEST", address: null },
    minimumKobo: 35_050n,
    maximumKobo: 1_000_000_000n,
  });
});

test("the map of discos is read by code, and what is no such map teaches nothing", () => {
  const codes = new Map([
    ["eko-electric", "EKO"],
    ["kano-electric", "KANO"],
  ]);
  assert.deepEqual(readAvailability(codes, 200, '{"EKO":true,"MTN":true}'), new Map([["eko-electric", true]]));
  for (const [status, text] of [
    [200, '{"status":false,"responseCode":500}'],
    [200, "<html>"],
    [503, '{"EKO":true}'],
  ] as const)
    assert.equal(readAvailability(codes, status, text), undefined);
});

test("amounts leave as digits, with places only where there is kobo", () => {
  const body = (amount_kobo: string) =>
    vendBody(
      {
        product: "electricity",
        disco: "eko-electric",
        meter_type: "prepaid",
        amount_kobo,
        phone: "2348031234567",
        customer: { name: "TEST", address: null },
      },
      { reference: "r", meter: "m", disco: "EKO" },
    );
  assert.deepEqual(
    [body("200000").amount, body("150051").amount, body("200000").phone],
    ["2000", "1500.51", "08031234567"],
  );
});

test("a signature counts for these bytes and this token alone", () => {
  const signature = createHash("sha512").update('{"status":true}key').digest("hex");
  assert.ok(isSigned('{"status":true}', "key", signature));
  for (const [text, token, given] of [
    ['{"status":false}', "key", signature],
    ['{"status":true}', "other", signature],
    ['{"status":true}', "key", signature.slice(2)],
    ['{"status":true}', "key", ""],
    ['{"status":true}', "key", null],
  ] as const)
    assert.equal(isSigned(text, token, given), false);
});

test("only the token must be given, and everything that is wrong with the settings is told at once", () => {
  const least = readSettings({ token: "t" });
  assert.ok(least.ok);
  assert.deepEqual([least.value.baseUrl, least.value.checkSignature], ["https://api.buypower.ng", false]);
  assert.equal(least.value.discoCodes.get("benin-electric"), "BH");
  const wrong = readSettings({ baseUrl: "http://x.ng", discoCodes: { "lagos-electric": "X" }, tokn: "t" });
  assert.ok(!wrong.ok);
  assert.deepEqual(
    wrong.error.map((fault) => fault.split(" ")[0]),
    ["tokn", "baseUrl", "discoCodes.lagos-electric"],
  );
  assert.match(wrong.error[0]!, /Did you mean "token"/, "which also says that the token is missing");
});
