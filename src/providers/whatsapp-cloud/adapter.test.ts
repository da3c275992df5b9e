import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatContent } from "../../ports/chat-payload.ts";
import type { ScenarioName } from "../../simulators/vendors/scenarios.ts";
import { CHAT_CONTENTS, CHAT_NUMBER, ChatSink, chatTask } from "../../testing/chat-task.ts";
import { freePort } from "../../testing/gateway.ts";
import { inAWord } from "../../testing/purchase-task.ts";
import { waitFor } from "../../testing/wait-for.ts";
import { whatsappRig } from "../../testing/whatsapp-rig.ts";
import { Cooldowns } from "./cooldowns.ts";
import { ERRORS, type GraphError } from "./errors.ts";

const { client, provider, sink, build, nextPhone, answered } = await whatsappRig();

/** A phone that has just written. */
async function phoneInWindow(): Promise<string> {
  const phone = nextPhone();
  await client.chatWindow("whatsapp", phone, 0);
  return phone;
}

const statusesOf = (reference: string | null, count: number) =>
  waitFor(`${count} statuses`, () => {
    const all = sink.statuses(reference);
    return all.length >= count && all;
  });

const CONTENTS: readonly (readonly [name: string, content: ChatContent, shown: object])[] = [
  ["a text", { type: "text", body: "₦5,000 / @Ada 🎉", preview_url: true }, { type: "text", text: "₦5,000 / @Ada 🎉" }],
  [
    "a template",
    CHAT_CONTENTS.template,
    { text: "Hello Ada, your order 4471 is ready.", footer: "Reply to this message for help" },
  ],
  [
    "a template with a picture and a quick reply's payload",
    {
      type: "template",
      name: "weekend_offer",
      language: "en_US",
      header: { kind: "image", link: "https://cdn.example.ng/h.png" },
      body: ["Ada"],
      buttons: [{ index: 1, kind: "quick_reply", value: "STOP" }],
    },
    {
      media: { kind: "image", link: "https://cdn.example.ng/h.png" },
      choices: [
        { id: "Show me", title: "Show me" },
        { id: "STOP", title: "Stop offers" },
      ],
    },
  ],
  [
    "a one-time code, in the body and in the button",
    {
      type: "template",
      name: "login_code",
      language: "en_US",
      body: ["447100"],
      buttons: [{ index: 0, kind: "url", value: "447100" }],
    },
    { text: "*447100* is your verification code." },
  ],
  [
    "a template with a variable in each place",
    {
      type: "template",
      name: "receipt_link",
      language: "en_US",
      header: ["R-1"],
      body: ["₦500.00"],
      buttons: [{ index: 0, kind: "url", value: "r1" }],
    },
    {
      header: "Receipt R-1",
      text: "Your receipt of ₦500.00 is ready.",
      choices: [{ id: "Open", title: "Open", url: "https://portal.example.ng/r/r1" }],
    },
  ],
  [
    "a template that names its placeholders",
    {
      type: "template",
      name: "delivery_day",
      language: "en_US",
      body: ["Friday", "Ada", "the meter"],
      names: { body: ["day", "first_name", "item"] },
    },
    { text: "Hello Ada, the meter comes on Friday." },
  ],
  [
    "a template in another language",
    { type: "template", name: "meter_reminder", language: "ha", body: ["Ada", "10000000001"] },
    { text: "Sannu Ada, lambar mitar ku ita ce 10000000001." },
  ],
  [
    "a picture by link",
    { type: "media", kind: "image", link: "https://cdn.example.ng/a.jpg", caption: "Receipt" },
    { type: "image", media: { kind: "image", link: "https://cdn.example.ng/a.jpg", caption: "Receipt" } },
  ],
  [
    "a document with its name",
    { type: "media", kind: "document", link: "https://cdn.example.ng/r.pdf", filename: "june.pdf" },
    { type: "document", media: { kind: "document", link: "https://cdn.example.ng/r.pdf", filename: "june.pdf" } },
  ],
  [
    "buttons",
    {
      type: "interactive",
      header: "Meter top-up",
      body: "Buy again?",
      footer: "Any time today",
      action: {
        kind: "buttons",
        buttons: [
          { id: "again", title: "Buy again" },
          { id: "other", title: "Other meter" },
        ],
      },
    },
    {
      type: "interactive",
      header: "Meter top-up",
      text: "Buy again?",
      footer: "Any time today",
      choices: [
        { id: "again", title: "Buy again" },
        { id: "other", title: "Other meter" },
      ],
    },
  ],
  [
    "a list",
    {
      type: "interactive",
      body: "Pick a plan",
      action: {
        kind: "list",
        button: "See plans",
        sections: [{ title: "Monthly", rows: [{ id: "p1", title: "10 GB", description: "30 days" }] }],
      },
    },
    { text: "Pick a plan", choices: [{ id: "p1", title: "10 GB" }], isList: true },
  ],
  [
    "a link to press",
    {
      type: "interactive",
      body: "Your statement",
      action: { kind: "cta_url", label: "Open", url: "https://portal.example.ng/s/9" },
    },
    { text: "Your statement", choices: [{ id: "", title: "Open", url: "https://portal.example.ng/s/9" }] },
  ],
];
for (const [name, content, shown] of CONTENTS)
  test(`${name} is taken, arrives as it was meant, and is told as sent, delivered and read`, async () => {
    const task = chatTask(provider, await phoneInWindow(), content);
    const outcome = await provider.send(task, 0);
    assert.ok(outcome.kind === "accepted", JSON.stringify(outcome));
    assert.deepEqual([...(await statusesOf(task.reference, 3))].sort(), ["delivered", "read", "sent"]);
    const [message] = await client.chatMessages("whatsapp", task.recipient);
    assert.ok(message);
    assert.deepEqual([message.id, message.from, message.read], [outcome.providerReference, CHAT_NUMBER, true]);
    assert.deepEqual({ ...message, ...shown }, message);
  });

test("a message may answer another, and is written from the number that the payload names", async () => {
  const phone = nextPhone();
  const asked = await client.chatReply("whatsapp", phone, { text: "Is it ready?", to: "+2347000000002" });
  const task = chatTask(provider, phone, CHAT_CONTENTS.text, { from: "2347000000002", in_reply_to: asked });
  assert.equal(inAWord(await provider.send(task, 0)), "accepted");
  await statusesOf(task.reference, 2);
  const [message] = await client.chatMessages("whatsapp", phone);
  assert.deepEqual([message?.from, message?.inReplyTo], ["2347000000002", asked]);
});

test("a report has both references, Meta's time, and what it asks", async () => {
  const before = Math.floor(Date.now() / 1_000) * 1_000;
  const task = chatTask(provider, nextPhone());
  const outcome = await provider.send(task, 0);
  await statusesOf(task.reference, 3);
  const report = sink.reports.find(({ ourReference, status }) => ourReference === task.reference && status === "sent");
  assert.ok(report && outcome.kind === "accepted" && report.at.getTime() >= before);
  assert.equal(report.providerReference, outcome.providerReference);
  assert.deepEqual(report.facts, {
    pricing: { billable: true, pricing_model: "PMP", type: "regular", category: "utility" },
  });
});

/** What an answer with the code is in a word, and a `failed` status with it. */
const words = ({ meaning }: GraphError): readonly [answer: string, status: string] => {
  if (meaning.kind === "throttled") return ["throttled", meaning.alarm ? "no_route" : "rejected_by_network"];
  if (meaning.kind === "unknown") return ["unknown", "not_delivered"];
  const alarm = meaning.scope === "route" ? " alarm" : "";
  return [`rejected ${meaning.scope} ${meaning.code}${alarm}`, meaning.code];
};
const CODES = Object.entries(ERRORS).map(([code, error]) => [Number(code.split("-")[0]), ...words(error)] as const);
for (const [code, answer, status] of [
  ...CODES,
  [299, ...words(ERRORS["10"]!)] as const,
  [199_999, "unknown", "not_delivered"] as const,
]) {
  test(`code ${code} in the answer is ${answer}`, async () => {
    const fresh = build(); // some codes close the account
    const task = chatTask(fresh, nextPhone());
    await client.chatError("whatsapp", { code, recipient: task.recipient });
    assert.equal(inAWord(await fresh.send(task, 0)), answer);
    assert.deepEqual(await client.chatMessages("whatsapp", task.recipient), []);
  });
  test(`code ${code} in a failed status is ${status}`, async () => {
    const task = chatTask(provider, nextPhone());
    await client.chatError("whatsapp", { code, recipient: task.recipient, how: "async" });
    assert.equal(inAWord(await provider.send(task, 0)), "accepted");
    assert.deepEqual(await statusesOf(task.reference, 1), ["failed"]);
    const report = sink.reports.find(({ ourReference }) => ourReference === task.reference);
    assert.equal(report?.code, status);
  });
}

const SCENARIOS: readonly (readonly [ScenarioName, answer: string, statuses: readonly string[]])[] = [
  ["timeout_then_delivered", "unknown", ["sent", "delivered", "read"]],
  ["timeout_then_failed", "unknown", ["sent", "failed"]],
  ["never_received", "unknown", []],
  ["never_received_silent", "unknown", []],
  ["http_500_then_delivered", "unknown", ["sent", "delivered", "read"]],
  ["http_503_then_delivered", "unknown", ["sent", "delivered", "read"]],
  ["html_then_delivered", "unknown", ["sent", "delivered", "read"]],
  ["empty_then_failed", "unknown", ["sent", "failed"]],
  ["unlisted_code_then_delivered", "unknown", ["sent", "delivered", "read"]],
  ["slow_drip", "unknown", ["sent", "delivered", "read"]],
  ["half_json", "unknown", ["sent", "delivered", "read"]],
  ["wrong_length", "unknown", ["sent", "delivered", "read"]],
  ["callback_twice", "accepted", ["sent", "sent", "delivered", "delivered", "read", "read"]],
  ["callback_out_of_order", "accepted", ["read", "read", "delivered", "sent"]],
];
for (const [scenario, answer, statuses] of SCENARIOS)
  test(`${scenario}: the answer is ${answer}, and the statuses that name our reference say the rest: ${statuses.join(", ") || "nothing"}`, async () => {
    const task = chatTask(provider, nextPhone());
    await client.scenario("whatsapp", scenario, { recipient: task.recipient, afterMs: 100 });
    assert.equal(inAWord(await provider.send(task, 0)), answer);
    assert.deepEqual([...(await statusesOf(task.reference, statuses.length))].sort(), [...statuses].sort());
  });

test("a forged callback is refused, and nothing of it is told", async () => {
  const task = chatTask(provider, nextPhone());
  await client.scenario("whatsapp", "callback_forged", { recipient: task.recipient, afterMs: 50 });
  await provider.send(task, 0);
  assert.deepEqual([...(await statusesOf(task.reference, 3))].sort(), ["delivered", "read", "sent"]);
  assert.equal(answered.filter((status) => status === 401).length >= 3, true);
  assert.ok(!sink.statuses(task.reference).includes("failed"));
});

test("a status that can't be stored is told again until it can", async () => {
  const task = chatTask(provider, nextPhone());
  const outcome = await provider.send(task, 0);
  assert.ok(outcome.kind === "accepted" && outcome.providerReference);
  sink.fails.add(outcome.providerReference);
  const before = answered.length;
  await waitFor("refusals", () => answered.slice(before).filter((status) => status === 500).length >= 2);
  assert.deepEqual(sink.statuses(task.reference), []);
  sink.fails.clear();
  assert.deepEqual([...(await statusesOf(task.reference, 3))].sort(), ["delivered", "read", "sent"]);
});

test("when nobody listens it is certain that nothing was sent", async () => {
  const away = build({ baseUrl: `http://127.0.0.1:${await freePort()}` });
  assert.equal(inAWord(await away.send(chatTask(away, nextPhone()), 0)), "throttled");
});

test("a vendor that is not reached is left alone for longer each time, up to a minute, until somebody answers", () => {
  const time = { ms: 0 };
  const cooldowns = new Cooldowns(() => time.ms);
  const waits: number[] = [];
  for (let tries = 0; tries < 8; tries += 1) {
    waits.push(cooldowns.away("nobody answers"));
    assert.equal(cooldowns.leftMs("2347000000001"), waits.at(-1));
    time.ms += waits.at(-1) ?? 0;
    assert.equal(cooldowns.leftMs("2347000000001"), 0);
  }
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  cooldowns.reached();
  assert.equal(cooldowns.away("nobody answers"), 1_000);
});

test("a number that is throttled again and again rests for longer from the fourth time on, until something of it is taken", () => {
  const time = { ms: 0 };
  const cooldowns = new Cooldowns(() => time.ms);
  const [number, other] = ["2347000000001", "2347000000002"];
  const close = (forMs: number): number => {
    cooldowns.close("number", number, forMs, "too fast");
    const leftMs = cooldowns.leftMs(number);
    // A window full of the same word is one closure.
    for (let more = 0; more < 20; more += 1) cooldowns.close("number", number, forMs, "too fast");
    assert.deepEqual([cooldowns.leftMs(number), cooldowns.leftMs(other)], [leftMs, 0]);
    time.ms += leftMs;
    return leftMs;
  };
  const rests = Array.from({ length: 10 }, () => close(1_000));
  assert.deepEqual(rests, [1_000, 1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  assert.equal(close(3_600_000), 3_600_000, "never shorter than the vendor's word");
  cooldowns.taken(number);
  assert.equal(close(1_000), 1_000);
});

test("nothing leaves once the lease is out, nor from a number that is not configured", async () => {
  const task = chatTask(provider, nextPhone());
  const before = (await client.calls("whatsapp")).length;
  assert.deepEqual(await provider.send({ ...task, mayStillSend: () => false }, 0), {
    kind: "throttled",
    retryAfterMs: 0,
    detail: "the lease ran out before it left",
  });
  const stranger = { ...task, payload: { ...task.payload, from: "2347000000099" } };
  assert.equal(inAWord(await provider.send(stranger, 0)), "rejected route route_misconfigured alarm");
  assert.equal((await client.calls("whatsapp")).length, before);
});

test("an account that the vendor refuses offers it nothing more for a minute, says why, and loses no message", async () => {
  const own = build();
  const changes: boolean[] = [];
  const sink = new ChatSink();
  sink.readinessChanged = () => void changes.push(own.ready());
  await own.start(sink);
  const [first, second] = [chatTask(own, nextPhone()), chatTask(own, nextPhone())];
  await client.chatError("whatsapp", { code: 190, recipient: first.recipient });
  const refused = await own.send(first, 0);
  assert.ok(refused.kind === "throttled" && refused.retryAfterMs === 60_000);
  assert.deepEqual([own.ready(), own.whyNotReady?.()], [false, "WhatsApp: the access token has expired (#190)"]);
  assert.deepEqual(changes, [true, false]);
  const held = await own.send(second, 0);
  assert.ok(held.kind === "throttled" && held.retryAfterMs > 59_000);
  assert.ok(!(await client.calls("whatsapp")).some(({ body }) => body.includes(second.recipient)));
  await own.stop();
});

test("with a token that Meta does not know the account is not ready from the first look at its templates on", async () => {
  const own = build({ accessToken: "another-token" });
  await own.start(new ChatSink());
  assert.equal(await own.templates?.(), undefined);
  assert.equal(own.ready(), false);
  assert.match(own.whyNotReady?.() ?? "", /access token/);
  await own.stop();
});

test("a number that is restricted offers nothing more for an hour, and another number of the account does", async () => {
  const own = build();
  const task = chatTask(own, nextPhone());
  await client.chatError("whatsapp", { code: 131_048, recipient: task.recipient });
  await own.send(task, 0);
  const again = await own.send(chatTask(own, nextPhone()), 0);
  assert.ok(again.kind === "throttled" && again.retryAfterMs > 3_500_000);
  const other = chatTask(own, nextPhone());
  const fromOther = { ...other, payload: { ...other.payload, from: "2347000000002" } };
  assert.equal(inAWord(await own.send(fromOther, 0)), "accepted");
});

test("over the pair's limit nothing is sent, and the wait is told to the millisecond", async () => {
  const strict = build({ pairEveryMs: 5_000, pairBurst: 2 });
  const phone = nextPhone();
  const send = () => strict.send(chatTask(strict, phone), 0);
  assert.deepEqual([inAWord(await send()), inAWord(await send())], ["accepted", "accepted"]);
  const third = await send();
  assert.ok(third.kind === "throttled" && third.retryAfterMs > 4_000 && third.retryAfterMs <= 5_000);
  assert.equal(inAWord(await strict.send(chatTask(strict, nextPhone()), 0)), "accepted");
  const calls = (await client.calls("whatsapp")).filter(({ body }) => body.includes(`"+${phone}"`));
  assert.equal(calls.length, 2);
});
