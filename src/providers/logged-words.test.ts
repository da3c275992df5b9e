import assert from "node:assert/strict";
import { test } from "node:test";
import type { Db } from "../db/database.ts";
import { makeMeters } from "../electricity/meters.service.ts";
import { newUuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { loggedCode } from "../kernel/logged-code.ts";
import type { Provider, ProviderDefinition } from "../ports/provider.ts";
import type { PurchasePayload } from "../ports/purchase-payload.ts";
import { CHAT_CONTENTS, chatTask } from "../testing/chat-task.ts";
import { PURCHASES, purchaseTask, RecordingSink, TEST_DEPS } from "../testing/purchase-task.ts";
import { waitFor } from "../testing/wait-for.ts";
import { WHATSAPP_SETTINGS } from "../testing/whatsapp-rig.ts";
import { buypower } from "./buypower/index.ts";
import { paystack } from "./paystack/index.ts";
import { reloadly } from "./reloadly/index.ts";
import { vtpass } from "./vtpass/index.ts";
import { whatsappCloud } from "./whatsapp-cloud/index.ts";

/** Whatever a vendor writes into its answers, no line of the log repeats it: neither digits nor names. */

const METER = "04123456784";
const WORDS = `500 Vend of meter ${METER} for 08031234567 (ADAOBI OKAFOR) failed unexpectedly`;
const CANARY = /04123456784|8031234567|ADAOBI|OKAFOR|unexpectedly/i;

/** The same words wherever vendors have words, under each status, with a code and with words in its place. */
const ANSWERS = [200, 400, 401, 403, 404, 422, 500, 503].flatMap((status) =>
  ["7777", WORDS].map((code) => {
    const error = { message: WORDS, type: WORDS, code, error_data: { details: WORDS } };
    const said = { message: WORDS, response_description: WORDS, errorCode: code, responseCode: code, code };
    return { status, body: JSON.stringify({ ...said, status: false, error, content: { error: WORDS } }) };
  }),
);

function keepLines() {
  const lines: string[] = [];
  const write = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
  return { lines, log: { debug: write, info: write, warn: write, error: write } };
}

const answering = ({ status, body }: (typeof ANSWERS)[number], token: boolean) =>
  (async (url: string | URL) =>
    token && String(url).endsWith("/oauth/token")
      ? new Response('{"access_token":"t","expires_in":3600}')
      : new Response(body, { status })) as typeof fetch;

const KEYS = { apiKey: "a", publicKey: "b", secretKey: "c", token: "d", clientId: "e", clientSecret: "f" };
const pick = (...names: (keyof typeof KEYS)[]) => Object.fromEntries(names.map((name) => [name, KEYS[name]]));
const LOCAL = { baseUrl: "http://127.0.0.1:1" };
const VENDORS: readonly (readonly [ProviderDefinition, settings: object, products: (keyof typeof PURCHASES)[]])[] = [
  [vtpass, { ...LOCAL, ...pick("apiKey", "publicKey", "secretKey") }, ["airtime", "data", "electricity"]],
  [buypower, { ...LOCAL, ...pick("token"), checkSignature: false }, ["electricity"]],
  [reloadly, { ...pick("clientId", "clientSecret"), operators: { mtn: 341 } }, ["airtime"]],
];

for (const [definition, settings, products] of VENDORS)
  test(`${definition.adapter}: no words of its answers are in the log, and codes are`, async () => {
    const { lines, log } = keepLines();
    for (const answer of ANSWERS)
      for (const token of [true, false]) {
        const deps = { ...TEST_DEPS, log, fetch: answering(answer, token) };
        const built = definition.build("vendor", settings, deps);
        assert.ok(built.ok, JSON.stringify(built));
        const provider = built.value as Provider<PurchasePayload>;
        await provider.start(new RecordingSink());
        for (const product of products) {
          const task = purchaseTask(provider, PURCHASES[product], product === "electricity" ? METER : "2348031234567");
          await provider.send(task, 0);
          await provider.requery!(task);
        }
        await waitFor("the first word of our access", () => provider.contact?.().state !== "asking");
        const lists = [provider.plans, provider.billers].flatMap((asked) => Object.values(asked ?? {}));
        await Promise.all([...lists.map((ask) => ask()), provider.balance?.()]);
        if (provider.verify?.meter) {
          const sellers = { of: () => [provider] };
          const meters = makeMeters({ db: NO_DATABASE, clock: TEST_DEPS.clock, log, sellers: sellers as never });
          await meters.verify(WHO, { disco: "ikeja-electric", meterNumber: METER });
        }
        await provider.stop();
      }
    assert.ok(lines.some((line) => line.includes("7777")));
    assert.deepEqual(
      lines.filter((line) => CANARY.test(line)),
      [],
    );
  });

const WHO = { accountId: newUuid(), mode: "test" } as const;
const NO_DATABASE = {} as Db; // nothing is found, so nothing is kept

test("whatsapp-cloud: no words of its answers are in the log, and codes are", async () => {
  const { lines, log } = keepLines();
  for (const answer of ANSWERS) {
    const deps = { ...TEST_DEPS, log, fetch: answering(answer, false) };
    const built = whatsappCloud.build("vendor", { ...WHATSAPP_SETTINGS, ...LOCAL }, deps);
    assert.ok(built.ok, JSON.stringify(built));
    const provider = built.value;
    await provider.start(new RecordingSink());
    await provider.send(chatTask(provider as never, "2348031234567", CHAT_CONTENTS.text) as never, 0);
    await provider.templates?.();
    await provider.downloadMedia?.("1", 1_000);
    await provider.stop();
  }
  assert.ok(lines.some((line) => line.includes("7777")));
  assert.deepEqual(
    lines.filter((line) => CANARY.test(line)),
    [],
  );
});

test("paystack: what it gives for the log has no words of its answers, and has codes", async () => {
  const { lines, log } = keepLines();
  for (const answer of ANSWERS) {
    const settings = { secretKey: "sk_test_hush", sandbox: true, customerEmail: "a+{account}@example.ng" };
    const built = paystack.build(settings, { ...TEST_DEPS, log, fetch: answering(answer, false) });
    assert.ok(built.ok, JSON.stringify(built));
    const provider = built.value;
    provider.start?.();
    const payer = { id: "acc_1", name: "Example Ltd" };
    const link = await provider.createLink({ reference: "trf-1", amountKobo: kobo(50_000), payer });
    const account = await provider.openAccount(payer);
    const payment = await provider.verify("trf-1");
    assert.deepEqual([link.kind, account.kind], ["failed", "failed"]);
    for (const opened of [link, account]) if (opened.kind === "failed") lines.push(opened.detail);
    if (payment.kind === "unknown") lines.push(String(payment.answer));
    await waitFor("the first word of our access", () => provider.contact?.().state !== "asking");
    provider.stop?.();
  }
  assert.ok(lines.some((line) => line.includes("7777")));
  assert.deepEqual(
    lines.filter((line) => CANARY.test(line)),
    [],
  );
});

for (const [code, logged] of [
  ["011", "011"],
  ["131026", "131026"],
  ["INVALID_TOKEN", "INVALID_TOKEN"],
  ["08031234567", undefined],
  ["0803-123-4567", undefined],
  ["ADAOBI OKAFOR", undefined],
] as const)
  test(`the code ${code} is ${logged ? "logged" : "left out: it may be a person's"}`, () =>
    assert.equal(loggedCode(code), logged));
