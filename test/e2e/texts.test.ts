import assert from "node:assert/strict";
import { test } from "node:test";
import { kobo, koboToNaira, parseKobo } from "../../src/kernel/kobo.ts";
import { assertProblem, type Problem, phone, startRig } from "./rig.ts";

const { local, provesItsLedger } = await startRig();

/** Of the largest plan, for one segment of a transactional message. */
const SEGMENT_KOBO = parseKobo("3.20");
const priceOf = (segments: number) => koboToNaira(kobo(SEGMENT_KOBO * BigInt(segments)));

const gsm = (length: number) => "The quick brown fox. ".repeat(80).slice(0, length);

const TEXTS: readonly (readonly [what: string, text: string, encoding: "gsm7" | "ucs2", segments: number])[] = [
  ["of 160 GSM-7 characters", gsm(160), "gsm7", 1],
  ["of 161 GSM-7 characters", gsm(161), "gsm7", 2],
  ["with € as the last character of one part", `${gsm(158)}€`, "gsm7", 1],
  ["with € where the first of two parts has one septet left", `${gsm(152)}€${gsm(40)}`, "gsm7", 2],
  ["with € so that the moved escape pair makes a third part", `${gsm(152)}€${gsm(152)}`, "gsm7", 3],
  ["with every character of the extension table", "^{}\\[~]|€\f", "gsm7", 1],
  ["with ₦", "You paid ₦5,000 to Ada", "ucs2", 1],
  ["of 71 characters with ₦", `₦${gsm(70)}`, "ucs2", 2],
  ["with an emoji where the first of two parts has one unit left", `${gsm(66)}😀${gsm(20)}`, "ucs2", 2],
  ["with emoji of several code points at the boundary", `${gsm(63)}👨‍👩‍👧‍👦${gsm(20)}`, "ucs2", 2],
  ["in Yoruba with tone marks", "Ẹ káàárọ̀, ṣé dáadáa ni? Owó yín ti dé: ẹgbẹ̀rún márùn-ún náírà.", "ucs2", 1],
  ["in Yoruba over several parts", "Ọjọ́ ń lọ, ọ̀rọ̀ náà kò tíì parí. ".repeat(6), "ucs2", 4],
  ["in Igbo, Hausa and Arabic script", "Ụ́lọ̀ akwụkwọ · Ƙarfe ɗaya · السلام عليكم", "ucs2", 1],
  ["with line ends, tabs and spaces at both ends", "  one\r\ntwo\nthree  ", "gsm7", 1],
  ["of ten GSM-7 segments", gsm(1530), "gsm7", 10],
  ["of ten UCS-2 segments", `ẹ${gsm(669)}`, "ucs2", 10],
];

for (const [index, [what, text, encoding, segments]] of TEXTS.entries()) {
  test(`a text ${what} arrives as the very same text, in the ${segments} part(s) that are charged`, async () => {
    const to = phone(index);
    const before = await local.wallet();
    const accepted = await local.send({ to, message: text });
    const expected = text.normalize("NFC");
    assert.deepEqual([accepted.encoding, accepted.segments], [encoding, segments]);
    assert.equal(accepted.price.amount, priceOf(segments));
    const message = await local.reached(accepted.id, "delivered");
    const after = await local.wallet();
    const [shown, ...more] = await local.handset(to);
    assert.deepEqual(more, []);
    assert.equal(shown?.text, expected);
    assert.equal(shown?.parts, segments);
    assert.equal(message.message, expected);
    assert.equal(message.parts?.length, segments === 1 ? undefined : segments);
    assert.equal(before.balance - after.balance, SEGMENT_KOBO * BigInt(segments));
  });
}

const TOO_LONG: readonly (readonly [what: string, text: string])[] = [
  ["GSM-7", gsm(1531)],
  ["UCS-2", `ẹ${gsm(670)}`],
];
for (const [encoding, text] of TOO_LONG) {
  test(`a text of eleven ${encoding} segments is refused as message_too_long, and nothing is charged`, async () => {
    const before = await local.wallet();
    const answer = await local.post<Problem>("/sms/send", { to: phone(900), message: text });
    assertProblem(answer);
    assert.deepEqual([answer.status, answer.body.code], [422, "message_too_long"]);
    assert.equal(answer.body.errors?.[0]?.pointer, "/message");
    assert.match(answer.body.detail, /11 segments/);
    assert.deepEqual(await local.wallet(), before);
    assert.deepEqual(await local.handset(phone(900)), []);
  });
}

test("smart encoding sends the likeness, says so in the message, and charges for what was sent", async () => {
  const to = phone(901);
  const accepted = await local.send({ to, message: "You paid ₦5,000 – “thank you”", smart_encoding: true });
  assert.deepEqual(
    [accepted.message, accepted.encoding, accepted.segments],
    ['You paid N5,000 - "thank you"', "gsm7", 1],
  );
  await local.reached(accepted.id, "delivered");
  assert.equal((await local.handset(to))[0]?.text, 'You paid N5,000 - "thank you"');
});

test("without being asked, nothing is replaced", async () => {
  const accepted = await local.send({ to: phone(902), message: "₦5 – “no”" });
  assert.deepEqual([accepted.message, accepted.encoding], ["₦5 – “no”", "ucs2"]);
  await local.reached(accepted.id, "delivered");
});

interface Preview {
  readonly encoding: string;
  readonly segments: number;
  readonly units_used: number;
  readonly units_left: number;
  readonly non_gsm_characters: readonly { readonly character: string; readonly index: number }[];
  readonly suggestion?: { readonly message: string; readonly segments: number };
  readonly price: { readonly amount: string };
}

test("a preview says what a send of the same text then costs, and itself costs nothing", async () => {
  const before = await local.wallet();
  for (const [index, [, message]] of TEXTS.entries()) {
    const { status, body } = await local.post<Preview>("/sms/preview", { message });
    assert.equal(status, 200);
    const [, , encoding, segments] = TEXTS[index]!;
    assert.deepEqual([body.encoding, body.segments, body.price.amount], [encoding, segments, priceOf(segments)]);
  }
  assert.deepEqual(await local.wallet(), before);
});

test("a preview names what makes a text dear, with a cheaper way to say it", async () => {
  const message = `₦5,000 ${gsm(100)}`;
  const { body } = await local.post<Preview>("/sms/preview", { message });
  assert.deepEqual([body.segments, body.units_used, body.units_left], [2, 107, 27]);
  assert.deepEqual(body.non_gsm_characters, [{ character: "₦", index: 0 }]);
  assert.deepEqual([body.suggestion?.message, body.suggestion?.segments], [`N5,000 ${gsm(100)}`, 1]);
  const smart = await local.post<Preview>("/sms/preview", { message, smart_encoding: true });
  assert.deepEqual([smart.body.encoding, smart.body.segments], ["gsm7", 1]);
});

provesItsLedger();
