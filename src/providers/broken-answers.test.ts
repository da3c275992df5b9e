import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider, ProviderDefinition } from "../ports/provider.ts";
import type { PurchasePayload } from "../ports/purchase-payload.ts";
import { PURCHASES, purchaseTask, RecordingSink, TEST_DEPS } from "../testing/purchase-task.ts";
import { buypower } from "./buypower/index.ts";
import { reloadly } from "./reloadly/index.ts";
import { vtpass } from "./vtpass/index.ts";

/** A connection that breaks within the answer to a purchase: what came of it may show that the vendor has the purchase. */

const TOKEN = "26362054405982757802";
const KEYS = { apiKey: "a", publicKey: "b", secretKey: "c", token: "d", clientId: "e", clientSecret: "f" };

/** Answers with these bytes, then breaks off. */
const broken = (status: number, text: string) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
      },
      pull(controller) {
        controller.error(new Error("the connection broke"));
      },
    }),
    { status },
  );

type Row = readonly [
  what: string,
  definition: ProviderDefinition,
  keys: readonly (keyof typeof KEYS)[],
  payload: PurchasePayload,
  answer: (reference: string) => string,
  isKnown: true | undefined,
];
const ROWS: readonly Row[] = [
  [
    "a code that is pending",
    vtpass,
    ["apiKey", "publicKey", "secretKey"],
    PURCHASES.airtime,
    () => '{"code":"099","re',
    true,
  ],
  ["nothing of it", vtpass, ["apiKey", "publicKey", "secretKey"], PURCHASES.airtime, () => "{", undefined],
  [
    "a whole refusal",
    vtpass,
    ["apiKey", "publicKey", "secretKey"],
    PURCHASES.airtime,
    () => '{"code":"013","response_description":"BELOW MINIMUM"}',
    undefined,
  ],
  ["a token", buypower, ["token"], PURCHASES.electricity, () => `{"data":{"token":"${TOKEN}","un`, true],
  ["our orderId", buypower, ["token"], PURCHASES.electricity, (ours) => `{"data":{"orderId":"${ours}","un`, true],
  [
    "another's",
    buypower,
    ["token"],
    PURCHASES.electricity,
    () => `{"data":{"orderId":"x-1","token":"${TOKEN}","`,
    undefined,
  ],
  ["a number", reloadly, ["clientId", "clientSecret"], PURCHASES.airtime, () => '{"transactionId":55', true],
];

for (const [what, definition, keys, payload, answer, isKnown] of ROWS)
  test(`${definition.adapter}, with ${what}: unknown, ${isKnown ? "and the vendor has it" : "and no more"}`, async (t) => {
    let said = "";
    const fetchIt = async (url: unknown) =>
      String(url).includes("/oauth/")
        ? Response.json({ access_token: "token", expires_in: 3_600 })
        : String(url).includes("/operators/")
          ? Response.json([])
          : broken(200, said);
    const given = {
      baseUrl: "http://127.0.0.1:9",
      responseTimeoutMs: 20_000,
      ...Object.fromEntries(keys.map((key) => [key, KEYS[key]])),
      ...(definition === reloadly && { operators: { mtn: 341 } }),
    };
    const built = definition.build("vendor", given, { ...TEST_DEPS, fetch: fetchIt as typeof fetch });
    assert.ok(built.ok, JSON.stringify(built));
    const provider = built.value as Provider<PurchasePayload>;
    await provider.start(new RecordingSink());
    t.after(() => provider.stop());
    const task = purchaseTask(provider, payload, payload.product === "electricity" ? "04123456784" : "2348031234567");
    said = answer(task.reference ?? "");
    const outcome = await provider.send(task, 0);
    assert.equal(outcome.kind, "unknown", JSON.stringify(outcome));
    assert.equal(outcome.kind === "unknown" && outcome.isKnown, isKnown);
    assert.equal("doubt" in outcome, Boolean(isKnown) && said.includes(TOKEN), "a token is kept");
    assert.ok(!("part" in outcome));
  });
