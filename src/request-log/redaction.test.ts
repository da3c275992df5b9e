import assert from "node:assert/strict";
import { test } from "node:test";
import { BODY_CHARACTERS_MAX, HIDDEN, SECRET, shownAnswer, shownJson, shownText } from "./redaction.ts";

const KEY = "afara_test_0123456789ABCDEFGHIJabcdefghij29pf72";

test("a body without secrets is shown as it was", () => {
  const body = {
    to: "+2348031234567",
    message: 'She said "5 < 7" \\ \u2028 é',
    metadata: { till: "7", nothing: null },
    list: [1, 2.5, true, null, "x", [], {}],
    idempotency_key: "order-17",
  };
  assert.equal(shownJson(body).text, JSON.stringify(body));
  assert.equal(shownAnswer(JSON.stringify(body))?.text, JSON.stringify(body));
});

/** Public reports of logs that leaked: secrets in fields, at any depth, in texts, in addresses, with a letter missing. */
const LEAKS: Record<string, unknown> = {
  "a made key": { id: "key_1", key: KEY },
  "a webhook's secret": { secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD8Gl5WkTxQaY=" },
  "an old and a new signing secret": { signing_secrets: ["canary", "canary"] },
  "tokens of electricity": { tokens: [{ value: "canary", units_kwh: "41.2" }] },
  "a voucher": { voucher: { pin: "canary", serial: "canary" } },
  "a PIN": { data: [{ pin: 482913, PIN: "canary" }] },
  "a password, however it is spelled": { newPassword: "canary", passwd: "canary" },
  "a proxy's headers in a body": {
    headers: { Authorization: "Bearer canary", Cookie: "a=canary", "X-Api-Key": "canary" },
  },
  "a key in a text": { message: `use ${KEY} now` },
  "a key that lost its last letter": { note: KEY.slice(0, -1) },
  "a token in a text": { message: "Token: 1234 5678 9012 3456 7890, units 41.2" },
  "a token without spaces": { message: "Token 12345678901234567890." },
  "a token as a number": { value: 1.2345678e19 },
  "a webhook's address": { url: "https://hooks.example.com/canary?x=canary#canary" },
  "an address with a password": { url: "https://user:canary@hooks.example.com/" },
  "an address of another kind": { url: "ftp://canary.example.com" },
  "an address that is none": { media_url: "canary" },
  "an address with a password in a text": { message: "see https://user:canary@hooks.example.com/canary?x=canary now" },
  "an address after a space": { note: " https://hooks.example.com/canary" },
  "an address after a space, in a field for one": { url: " https://hooks.example.com/canary" },
  "a key as a name": { metadata: { [KEY]: "x" } },
  "a token as a name": { "12345678901234567890": "x" },
  "a token in groups as a name": { metadata: { "1234 5678 9012 3456 7890": "x" } },
  "an address as a name": { metadata: { "https://hooks.example.com/canary": 1 } },
  "a webhook secret in a text": { message: "x whsec_C2FVsBQIhrscChlQIMV now" },
  "a token in groups of eight": { message: "code 12345678 90123456 7890" },
  "a token with points": { message: "1234.5678.9012.3456.7890" },
  "a token with two spaces": { message: "1234  5678  9012  3456  7890" },
  "a token with no-break spaces": { message: "1234\u00a05678\u00a09012\u00a03456\u00a07890" },
  "a token with dashes": { message: "1234 - 5678 - 9012 \u2013 3456 \u2014 7890" },
  "a token with commas, and on lines": { message: "1234, 5678,9012\n3456\n7890" },
  "a token in groups of five": { message: "12345 67890 12345 67890" },
  "a card": { message: "card 1234 5678 9012 3456" },
};

/** As others' programs call what nobody else may have. */
for (const name of [
  ..."pwd passphrase pass_code passcode pincode PIN_code cardPin otp_code smsOtp private_key accessKey user_key".split(
    " ",
  ),
  ..."bearer auth jwt Api\u00a0Key x-auth session_id pass keys client_secret CVV cvc ＰＷＤ ｔｏｋｅｎ to\u200bken".split(
    " ",
  ),
  "Api Key",
])
  LEAKS[`${name} as a name`] = { metadata: { [name]: "canary" } };

for (const [what, body] of Object.entries(LEAKS)) {
  test(`${what} is not shown, in a request and in an answer`, () => {
    for (const shown of [shownJson(body).text, shownAnswer(JSON.stringify(body))?.text ?? ""]) {
      assert.doesNotMatch(shown, /canary|0123456789ABC|whsec_C2|482913|5678|1234567890|12345678000/);
      assert.ok(shown.includes(SECRET) || shown.includes(HIDDEN) || shown.includes("hooks.example.com"), shown);
    }
  });
}

test("of an address its host is shown, and of a text all but its secret", () => {
  assert.equal(shownText("https://hooks.example.com/canary", "url"), `https://hooks.example.com/${HIDDEN}`);
  assert.equal(shownText("https://hooks.example.com", "url"), "https://hooks.example.com");
  assert.equal(shownText(`use ${KEY} now`), `use ${SECRET} now`);
  assert.equal(shownText("Call +2348031234567 or 0803 123 4567"), "Call +2348031234567 or 0803 123 4567");
});

test("what looks alike and is no secret is shown", () => {
  const body = {
    idempotency_key: "order-17",
    author: "Ada",
    passenger: "Obi",
    keyboard: "de",
    spins: 3,
    message: "Call 08031234567, 08031234568 or 2348031234567 2348031234568 on 2026-11-29, from 0803 123 4567",
    from: "2026-11-29T09:00:00.000Z",
    amount: "1234567.89",
    reference: "INV-2026-1129-0001",
    trace: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  };
  assert.equal(shownJson(body).text, JSON.stringify(body));
  assert.equal(shownAnswer(JSON.stringify(body))?.text, JSON.stringify(body));
});

/** Milliseconds of the processor, however busy the machine is. */
function cpuMsOf(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test("a text that is made to be slow to read is read at once", () => {
  for (const piece of ["a", "1234 ", "1", "a:", "://", "https://", "afara_test_", "whsec_", "1234  - ", ".", " "]) {
    const text = piece.repeat(20_000);
    const cpuMs = cpuMsOf(() => shownJson({ [text]: text, list: [text] }));
    assert.ok(cpuMs < 1_000, `${piece}: ${cpuMs} ms`);
  }
});

test("a body that is longer than what is kept is cut, and costs no more however long it is", () => {
  const million = Array.from({ length: 1_000_000 }, (_, index) => ({ to: `+234803${index}`, message: "Hello" }));
  let shown: ReturnType<typeof shownJson> | undefined;
  const cpuMs = cpuMsOf(() => {
    shown = shownJson({ messages: million });
  });
  assert.ok(cpuMs < 500, `${cpuMs} ms`);
  const { text, isCut } = shown!;
  assert.ok(isCut && text.length === BODY_CHARACTERS_MAX && text.startsWith('{"messages":[{"to":"+2348030"'));
  assert.deepEqual(shownJson({ message: "x".repeat(50_000_000) }).isCut, true);
});

test("a secret that stands where a text is cut is not shown in part", () => {
  for (let before = BODY_CHARACTERS_MAX - 80; before < BODY_CHARACTERS_MAX; before += 1) {
    const { text } = shownJson({ message: `${"x".repeat(before)}${KEY}` });
    assert.doesNotMatch(text, /afara_|01234/);
  }
  const { text } = shownJson({ message: `${"x".repeat(BODY_CHARACTERS_MAX - 13)}😀😀😀` });
  assert.ok(text.isWellFormed());
});

test("an answer that is no JSON, or is too long to be read for secrets, is not kept", () => {
  assert.equal(shownAnswer('{"token": "cana'), null);
  assert.equal(shownAnswer(JSON.stringify({ list: "x".repeat(100_000) })), null);
  assert.deepEqual(shownAnswer(Buffer.from('{"code":"not_found"}')), { text: '{"code":"not_found"}', isCut: false });
});
