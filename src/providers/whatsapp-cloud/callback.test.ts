import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newUuid } from "../../kernel/ids.ts";
import { type InSlices, unsliced } from "../../kernel/slices.ts";
import { inMetasJson } from "../../simulators/whatsapp/webhook.ts";
import { ChatSink } from "../../testing/chat-task.ts";
import { takeCallback } from "./callback.ts";
import { makeReference } from "./wire/reference.ts";
import { signatureOf } from "./wire/signature.ts";

const APP_SECRET = "an-app-secret";
const NOW = new Date("2026-11-27T09:00:00Z");

interface Heard {
  readonly status: number;
  readonly body: string;
  readonly sink: ChatSink;
  readonly logged: readonly string[];
}

async function call(
  request: { method?: string; path?: string; body?: string | Buffer; signature?: string },
  fails: readonly string[] = [],
  inSlices: InSlices = unsliced,
): Promise<Heard> {
  const { method = "POST", path = "", body = "" } = request;
  const { signature = signatureOf(APP_SECRET, body) } = request;
  const sink = new ChatSink();
  for (const reference of fails) sink.fails.add(reference);
  const logged: string[] = [];
  const log = (_fields: object, message: string) => void logged.push(message);
  const answer = await takeCallback(
    { method, path, headers: { "x-hub-signature-256": signature }, body: Buffer.from(body) },
    {
      settings: { appSecret: APP_SECRET, verifyToken: "verify-me", numbers: [] },
      sink,
      log: { debug: log, info: log, warn: log, error: log },
      inSlices,
      receivedAt: NOW,
    },
  );
  return { status: answer.status, body: answer.body, sink, logged };
}

const valueWith = (items: object) => ({
  messaging_product: "whatsapp",
  metadata: { display_phone_number: "+234 700 000 0001", phone_number_id: "200000000000001" },
  ...items,
});
const webhook = (...values: readonly object[]) => ({
  object: "whatsapp_business_account",
  entry: [{ id: "100000000000001", changes: values.map((value) => ({ field: "messages", value })) }],
});
const tell = (items: object, fails: readonly string[] = []) =>
  call({ body: JSON.stringify(webhook(valueWith(items))) }, fails);

const VERIFICATIONS: readonly (readonly [name: string, path: string, status: number, body: string])[] = [
  ["the right token", "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=verify-me", 200, "1158201444"],
  ["another token", "?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=verify-m", 403, "{}"],
  ["no token", "?hub.mode=subscribe&hub.challenge=1158201444", 403, "{}"],
  ["another mode", "?hub.mode=x&hub.challenge=1&hub.verify_token=verify-me", 403, "{}"],
  ["a challenge that is a page", "?hub.mode=subscribe&hub.challenge=%3Cb%3E&hub.verify_token=verify-me", 403, "{}"],
  ["nothing", "", 403, "{}"],
  ["a path that is no URL", "//[?", 403, "{}"],
];
for (const [name, path, status, body] of VERIFICATIONS)
  test(`Meta's verification with ${name} is answered ${status}, without a signature`, async () => {
    const answer = await call({ method: "GET", path, signature: "" });
    assert.deepEqual([answer.status, answer.body], [status, body]);
  });

const STATUS = { id: "wamid.A/b+c==", status: "delivered", timestamp: "1790000000", recipient_id: "2348030000001" };
const STATUSES = webhook(valueWith({ statuses: [STATUS] }));

/** Computed with: openssl dgst -sha256 -hmac an-app-secret. */
test("the signature is the HMAC-SHA256 that OpenSSL computes", () => {
  assert.equal(
    signatureOf(APP_SECRET, '{"object":"whatsapp_business_account"}'),
    "sha256=9917dffbef53a86e605ef437491170e1d9b2c6079e00b78e3ae1ed04a3af8305",
  );
});

test("the signature counts over the raw bytes, so escapes of Meta's own are kept", async () => {
  const message = { from: "2348030000001", id: "wamid.IN", type: "text", text: { body: "ẹ ₦5 / a@b 🎉 <" } };
  const body = inMetasJson(webhook(valueWith({ messages: [message] })));
  assert.match(body, /\\u1eb9 \\u20a65 \\\/ a\\u0040b \\ud83c\\udf89 \\u003c/);
  const { status, sink } = await call({ body });
  assert.deepEqual([status, sink.messages[0]?.text], [200, "ẹ ₦5 / a@b 🎉 <"]);
  const rewritten = JSON.stringify(JSON.parse(body));
  assert.equal((await call({ body: rewritten, signature: signatureOf(APP_SECRET, body) })).status, 401);
});

const FORGED: readonly (readonly [name: string, signature: string])[] = [
  ["none", ""],
  ["another secret's", signatureOf("another", JSON.stringify(STATUSES))],
  ["one without its prefix", signatureOf(APP_SECRET, JSON.stringify(STATUSES)).replace("sha256=", "")],
  ["one in capitals", signatureOf(APP_SECRET, JSON.stringify(STATUSES)).toUpperCase()],
  ["a longer one", `${signatureOf(APP_SECRET, JSON.stringify(STATUSES))}0`],
];
for (const [name, signature] of FORGED)
  test(`a callback whose signature is ${name} is 401 and has no effect`, async () => {
    const { status, sink } = await call({ body: JSON.stringify(STATUSES), signature });
    assert.deepEqual([status, sink.reports, sink.messages], [401, [], []]);
  });

test("a single changed byte is found", async () => {
  const body = Buffer.from(JSON.stringify(STATUSES));
  const signature = signatureOf(APP_SECRET, body);
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const changed = Buffer.from(body);
      changed[at] = (changed[at] ?? 0) ^ change;
      assert.equal((await call({ body: changed, signature })).status, 401);
    }),
    { numRuns: 50 },
  );
});

test("every entry, change and item of a batch is told, statuses and messages mixed", async () => {
  const reference = makeReference(APP_SECRET, { orderId: newUuid(), attempt: 2 });
  const message = {
    from: "2348030000001",
    id: "wamid.IN1",
    timestamp: "1790000001",
    type: "text",
    text: { body: "Hi" },
  };
  const first = webhook(
    valueWith({
      statuses: [
        { ...STATUS, status: "read" },
        { ...STATUS, biz_opaque_callback_data: reference },
      ],
    }),
    valueWith({ messages: [message, { ...message, id: "wamid.IN2" }], statuses: [{ ...STATUS, status: "sent" }] }),
  );
  const body = {
    ...first,
    entry: [...first.entry, ...webhook(valueWith({ messages: [{ ...message, id: "wamid.IN3" }] })).entry],
  };
  const { status, sink } = await call({ body: JSON.stringify(body) });
  assert.equal(status, 200);
  assert.deepEqual(
    sink.reports.map((report) => [report.status, report.ourReference]),
    [
      ["read", undefined],
      ["delivered", reference],
      ["sent", undefined],
    ],
  );
  assert.deepEqual(
    sink.messages.map(({ providerReference }) => providerReference),
    ["wamid.IN1", "wamid.IN2", "wamid.IN3"],
  );
  assert.equal(sink.messages[0]?.to, "2347000000001");
});

test("when one item of a batch can't be stored the others are, and the answer is 500 so that all comes again", async () => {
  const statuses = [STATUS, { ...STATUS, id: "wamid.bad" }, { ...STATUS, id: "wamid.other" }];
  const { status, sink, logged } = await tell({ statuses }, ["wamid.bad"]);
  assert.equal(status, 500);
  assert.deepEqual(
    sink.reports.map(({ providerReference }) => providerReference),
    [STATUS.id, "wamid.other"],
  );
  assert.equal(logged.length, 1);
});

test("of a large call each item is a step of its own, between which others are served", async () => {
  const message = { from: "2348030000001", timestamp: "1790000001", type: "text", text: { body: "Hi" } };
  const items = {
    statuses: Array.from({ length: 500 }, (_, index) => ({ ...STATUS, id: `wamid.status.${index}` })),
    messages: Array.from({ length: 500 }, (_, index) => ({ ...message, id: `wamid.message.${index}` })),
  };
  let steps = 0;
  const counted: InSlices = async (work) => {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      steps += 1;
    }
  };
  const { status, sink } = await call({ body: JSON.stringify(webhook(valueWith(items))) }, ["wamid.status.7"], counted);
  assert.deepEqual([status, sink.reports.length, sink.messages.length], [500, 499, 500]);
  assert.ok(steps >= 1_000, `${steps} steps`);
});

const WORDS: readonly (readonly [word: string, told: string | undefined, logs: number])[] = [
  ["sent", "sent", 0],
  ["delivered", "delivered", 0],
  ["read", "read", 0],
  ["played", "read", 0],
  ["deleted", undefined, 0],
  ["warped", undefined, 1],
  ["toString", undefined, 1],
];
for (const [word, told, logs] of WORDS)
  test(`the status ${word} is told as ${told ?? "nothing"}, and taken`, async () => {
    const { status, sink, logged } = await tell({ statuses: [{ ...STATUS, status: word }] });
    assert.deepEqual([status, sink.reports[0]?.status, logged.length], [200, told, logs]);
  });

test("a reference that is not of our making is not told as ours", async () => {
  for (const biz_opaque_callback_data of ["msg_01", "", 7, `${newUuid()}.1`, `x${"y".repeat(600)}`]) {
    const { sink } = await tell({ statuses: [{ ...STATUS, biz_opaque_callback_data }] });
    assert.deepEqual([sink.reports.length, sink.reports[0]?.ourReference], [1, undefined]);
  }
});

test("a failure of our account is told neutrally, and loudly to the operator", async () => {
  const errors = [
    { code: 131042, title: "Business eligibility payment issue", error_data: { details: "Unpaid bill 17" } },
  ];
  const { sink, logged } = await tell({ statuses: [{ ...STATUS, status: "failed", errors }] });
  assert.deepEqual([sink.reports[0]?.code, sink.reports[0]?.detail], ["no_route", "The vendor could not take it."]);
  assert.deepEqual(logged, ["WhatsApp: there is a problem with payment (#131042)"]);
});

test("a failure of the message has Meta's details for the subscriber", async () => {
  const errors = [{ code: 131047, title: "Re-engagement message", error_data: { details: "More than 24 hours" } }];
  const { sink } = await tell({ statuses: [{ ...STATUS, status: "failed", errors }] });
  assert.deepEqual(
    [sink.reports[0]?.code, sink.reports[0]?.detail],
    ["chat_window_closed", "#131047 More than 24 hours"],
  );
  assert.deepEqual(sink.reports[0]?.at, new Date(1_790_000_000_000));
});

const NOT_FOR_US: readonly (readonly [name: string, body: string])[] = [
  ["another object", JSON.stringify({ ...STATUSES, object: "page" })],
  [
    "another field",
    JSON.stringify({
      object: "whatsapp_business_account",
      entry: [{ id: "1", changes: [{ field: "message_template_status_update", value: { statuses: [STATUS] } }] }],
    }),
  ],
  ["no JSON", "<html>"],
  ["nothing", ""],
  ["a list", "[]"],
  ["entries that are none", JSON.stringify({ object: "whatsapp_business_account", entry: [1, null, { changes: 7 }] })],
];
for (const [name, body] of NOT_FOR_US)
  test(`${name}: taken, so that it is not repeated, and without effect`, async () => {
    const { status, sink } = await call({ body });
    assert.deepEqual([status, sink.reports, sink.messages], [200, [], []]);
  });

test("what is nested very deep is cut, and the rest of the callback is taken", async () => {
  for (const [open, close] of [
    ['{"in":', "}"],
    ["[", "]"],
  ] as const) {
    const deep = JSON.parse(`${open.repeat(3_000)}1${close.repeat(3_000)}`);
    const text = { type: "text", text: { body: "STOP", deep } };
    const message = { from: "2348030000001", id: "wamid.IN", ...text };
    const { status, sink, logged } = await tell({ messages: [message], statuses: [STATUS], contacts: deep, deep });
    assert.deepEqual([status, sink.messages[0]?.text, sink.reports.length], [200, "STOP", 1]);
    assert.deepEqual(logged, ["a callback of WhatsApp is nested too deep; the rest is cut"]);
    assert.doesNotThrow(() => JSON.stringify(sink.messages));
  }
});

test("no body makes the reading throw", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (one, other) => {
      for (const items of [
        { statuses: [one] },
        { messages: [one], contacts: other },
        { errors: one },
        { statuses: other },
      ])
        assert.equal((await tell(items)).status, 200);
    }),
  );
});
