import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeId, type Uuid } from "../../src/kernel/ids.ts";
import { findOrder } from "../../src/orders/orders.repo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type ChatMessage, chat, chatReached, chatRefused, template } from "./chats.ts";
import { digits, inbound, metaAccount, nextId, templatesListed, userId } from "./meta.ts";
import { phone, type Subscriber, startRig } from "./rig.ts";

/** What people do so as to be left alone, in Meta's own words. */
const rig = await startRig();
const account = () => metaAccount(rig);

for (const [name, components] of [
  ["news", [{ type: "BODY", text: "Hi {{1}}, there is news." }]],
  [
    "sale",
    [
      { type: "BODY", text: "All plans are cheaper." },
      {
        type: "BUTTONS",
        buttons: ["Show me", "Stop promotions", "Unsubscribe", "Cancel", "Start"].map((text) => ({
          type: "QUICK_REPLY",
          text,
        })),
      },
    ],
  ],
] as const)
  await rig.vendors.chatTemplate("whatsapp", { name, language: "en_US", category: "MARKETING", components });
await rig.vendors.chatTemplate("whatsapp", {
  name: "delivery",
  language: "en_US",
  category: "UTILITY",
  components: [
    { type: "BODY", text: "Your parcel comes today." },
    { type: "BUTTONS", buttons: ["Cancel", "Stop", "Start"].map((text) => ({ type: "QUICK_REPLY", text })) },
  ],
});
// They are new: the list is asked for again, though not more than once a minute.
await templatesListed(rig);
await rig.db.query("update chat_template_lists set fetched_at = fetched_at - interval '2 minutes'");

interface Suppression {
  readonly phone?: string;
  readonly user_id?: string;
  readonly channel: string;
  readonly source: string;
  readonly reason: string;
}
const listed = async (who: Subscriber, query = "") =>
  (await who.get<{ data: readonly Suppression[] }>(`/sms/suppressions${query}`)).body.data;
const news = (to: string) => ({ to, template: "news", language: "en_US", variables: { body: ["Ada"] } });
/** Whether marketing is refused: by chat, and by SMS. */
async function refusals(who: Subscriber, to: string): Promise<readonly boolean[]> {
  const byChat = await who.post<{ code?: string }>("/chat/send/template", news(to));
  const bySms = await who.post<{ code?: string }>("/sms/send", { to, message: "Sale!", route: "promotional" });
  return [byChat, bySms].map(({ status, body }) => {
    assert.ok(status === 202 || body.code === "recipient_opted_out", JSON.stringify(body));
    return status !== 202;
  });
}
test("Meta's user_preferences stop and resume marketing by chat, once each, and SMS is not concerned", async () => {
  const { who, tell } = await account();
  const to = phone(1);
  const preference = (value: string, timestamp: number) =>
    tell("user_preferences", {
      contacts: [{ profile: { name: "Ada" }, wa_id: digits(to) }],
      user_preferences: [
        { wa_id: digits(to), detail: `User requested to ${value}`, category: "marketing_messages", value, timestamp },
      ],
    });
  const now = Math.floor(Date.now() / 1_000);
  await preference("stop", now - 2);
  await preference("stop", now - 2);
  assert.deepEqual(await refusals(who, to), [true, false]);
  assert.deepEqual(
    (await listed(who)).map(({ phone: listedPhone, channel, source, reason }) => [
      listedPhone,
      channel,
      source,
      reason,
    ]),
    [[to, "chat", "recipient", "preference"]],
  );
  await preference("resume", now - 1);
  await preference("stop", now - 2);
  assert.deepEqual(await refusals(who, to), [false, false], "what was told before is known");
  assert.deepEqual(
    (await inbound(who, to)).map(({ type, understood_as }) => [type, understood_as]),
    [
      ["user_preferences", "start"],
      ["user_preferences", "stop"],
    ],
  );
  const window = await who.get<{ open: boolean }>(`/chat/window/${encodeURIComponent(to)}`);
  assert.equal(window.body.open, false);
});

test("a typed STOP is of all channels; resume by chat leaves SMS stopped; a typed START takes all back", async () => {
  const { who, tell, says } = await account();
  const to = phone(2);
  await says({ from: digits(to) }, "Unsubscribe me please");
  assert.deepEqual(await refusals(who, to), [true, true]);
  await tell("user_preferences", {
    user_preferences: [
      {
        wa_id: digits(to),
        category: "marketing_messages",
        value: "resume",
        timestamp: Math.floor(Date.now() / 1_000) + 1,
      },
    ],
  });
  assert.deepEqual(await refusals(who, to), [false, true]);
  assert.deepEqual(
    (await listed(who)).map(({ channel }) => channel),
    ["sms"],
  );
});

/** The vendor's name of a message that it has taken. */
async function nameOf(who: Awaited<ReturnType<typeof rig.subscriber>>, sent: ChatMessage): Promise<string> {
  const id = decodeId("msg", sent.id) as Uuid;
  return waitFor("the vendor's name", async () => (await findOrder(rig.db, who.accountId, id))?.pieces?.[0]?.reference);
}

const BUTTONS: readonly (readonly [template: string, title: string, stops: boolean])[] = [
  ["sale", "Stop promotions", true],
  ["sale", "Unsubscribe", true],
  ["sale", "Cancel", false],
  ["sale", "Show me", false],
  ["delivery", "Cancel", false],
  ["delivery", "Stop", false],
];
for (const [index, [name, title, stops]] of BUTTONS.entries())
  test(`the button “${title}” under “${name}” ${stops ? "stops marketing by chat" : "opts nobody out"}`, async () => {
    const { who, write } = await account();
    const to = phone(10 + index);
    const sent = await chat(who, "template", { to, template: name, language: "en_US" });
    const context = { from: digits(sent.from), id: await nameOf(who, sent) };
    await write({ from: digits(to), type: "button", context, button: { payload: title, text: title } });
    assert.deepEqual(await refusals(who, to), [stops, false]);
    const [pressed] = await inbound(who, to);
    assert.deepEqual([pressed?.message, pressed?.understood_as], [title, stops ? "stop" : undefined]);
  });

test("a button of a template that is not known any more counts as an offer's", async () => {
  const { who, write } = await account();
  const press = (to: string, title: string, context?: object) =>
    write({ from: digits(to), type: "button", ...(context && { context }), button: { payload: title, text: title } });
  const sent = await chat(who, "template", { to: phone(70), template: "sale", language: "en_US" });
  const name = await nameOf(who, sent);
  await rig.db.query("delete from provider_references where reference = $1", [name]);
  await press(phone(70), "Stop", { from: digits(sent.from), id: name });
  await press(phone(71), "Unsubscribe", { from: digits(sent.from), id: "wamid.of.last.year" });
  await press(phone(72), "Stop");
  await press(phone(73), "Cancel", { from: digits(sent.from), id: "wamid.of.last.year" });
  for (const [index, stops] of [true, true, true, false].entries())
    assert.deepEqual(await refusals(who, phone(70 + index)), [stops, false], `phone ${70 + index}`);
});

test("a STOP that is said to a group opts nobody out; one whose message came with an error does", async () => {
  const { who, write } = await account();
  const text = { type: "text", text: { body: "STOP" } };
  await write({ from: digits(phone(74)), group_id: "Y2FwaV9ncm91cDo", ...text });
  assert.deepEqual(await refusals(who, phone(74)), [false, false]);
  await write({ from: digits(phone(75)), errors: [{ code: 131_051, title: "Unsupported" }], ...text });
  assert.deepEqual(await refusals(who, phone(75)), [true, true]);
});

test("preferences without a time: stop, resume and stop again is a stop", async () => {
  const { who, tell } = await account();
  const to = phone(76);
  for (const [value, stops] of [
    ["stop", true],
    ["resume", false],
    ["stop", true],
  ] as const) {
    await tell("user_preferences", {
      user_preferences: [{ wa_id: digits(to), category: "marketing_messages", value }],
    });
    assert.deepEqual(await refusals(who, to), [stops, false]);
  }
});

test("a stop, a later stop, and a resume from between them that comes last: it is stopped", async () => {
  const { who, tell } = await account();
  const to = phone(77);
  const now = Math.floor(Date.now() / 1_000);
  for (const [value, timestamp] of [
    ["stop", now - 9],
    ["stop", now - 3],
    ["resume", now - 6],
  ] as const)
    await tell("user_preferences", {
      user_preferences: [{ wa_id: digits(to), category: "marketing_messages", value, timestamp }],
    });
  assert.deepEqual(await refusals(who, to), [true, false]);
});

test("131050 in a status that comes after the message was read is heard", async () => {
  const { who, tell } = await account();
  const to = phone(78);
  const { id } = await chat(who, "template", news(to));
  const sent = await chatReached(who, id, "read");
  const status = {
    id: await nameOf(who, sent),
    timestamp: String(Math.floor(Date.now() / 1_000)),
    recipient_id: digits(to),
  };
  await tell("messages", {
    statuses: [{ ...status, status: "failed", errors: [{ code: 131_050, title: "Stopped" }] }],
  });
  await waitFor("the opt-out", async () => (await listed(who)).length === 1 || undefined);
  assert.deepEqual(await refusals(who, to), [true, false]);
});

test("a callback that is nested very deep is taken, and what can be kept of it is", async () => {
  const { who, write, tell } = await account();
  const to = phone(79);
  const deep = JSON.parse(`${'{"in":'.repeat(3_000)}1${"}".repeat(3_000)}`);
  await write({ from: digits(to), type: "text", text: { body: "STOP", deep } });
  await tell("user_preferences", {
    user_preferences: [{ wa_id: digits(phone(80)), category: "marketing_messages", value: "stop", deep }],
  });
  assert.deepEqual(await refusals(who, to), [true, true]);
  assert.deepEqual(await refusals(who, phone(80)), [true, false]);
});

test("two people who exchange their phones stay two, and the id that is shown is the present one", async () => {
  const { who, write, says } = await account();
  const [a, b, one, other] = [phone(81), phone(82), userId(81), userId(82)];
  await says({ from: digits(a), from_user_id: one }, "STOP");
  await says({ from: digits(b), from_user_id: other }, "Hello");
  const moves = (from: string, from_user_id: string, to: string) =>
    write({
      from: digits(from),
      from_user_id,
      type: "system",
      system: { type: "user_changed_number", body: "changed", wa_id: digits(to) },
    });
  await moves(a, one, b);
  await moves(b, other, a);
  assert.deepEqual(await refusals(who, b), [true, true]);
  assert.deepEqual(await refusals(who, a), [false, false]);
  await says({ from: digits(a) }, "START");
  assert.deepEqual(await refusals(who, b), [true, true]);
  await write({
    from: digits(b),
    from_user_id: one,
    type: "system",
    system: { type: "user_changed_user_id", body: "changed", user_id: userId(83), wa_id: digits(b) },
  });
  assert.deepEqual(
    (await listed(who)).map((row) => [row.phone, row.user_id]),
    [[b, userId(83)]],
  );
});

test("buttons of a question opt nobody out for good, and none takes an opt-out back", async () => {
  const { who, write, says } = await account();
  const to = phone(20);
  const press = (title: string) =>
    write({
      from: digits(to),
      type: "interactive",
      interactive: { type: "button_reply", button_reply: { id: title.toUpperCase(), title } },
    });
  for (const title of ["Cancel", "Stop", "End"]) await press(title);
  assert.deepEqual(await refusals(who, to), [false, false]);
  await says({ from: digits(to) }, "STOP");
  await press("Start");
  await write({ from: digits(to), type: "button", button: { payload: "START", text: "Start" } });
  assert.deepEqual(await refusals(who, to), [true, true]);
  await says({ from: digits(to) }, "start");
  assert.deepEqual(await refusals(who, to), [false, false]);
});

test("the vendor's 131050, as an answer and as a status, is an opt-out of marketing by chat", async () => {
  const { who } = await account();
  for (const [index, how] of (["sync", "async"] as const).entries()) {
    const to = phone(30 + index);
    await rig.vendors.chatError("whatsapp", { code: 131_050, how, recipient: digits(to) });
    const { id } = await chat(who, "template", news(to));
    await chatReached(who, id, "failed");
    assert.deepEqual(await refusals(who, to), [true, false], how);
    const [row] = await listed(who, `?phone=${encodeURIComponent(to)}`);
    assert.deepEqual([row?.channel, row?.source, row?.reason], ["chat", "recipient", "preference"]);
  }
});

test("131050 of a message that goes on as its fallback is heard as well, and the fallback's SMS goes", async () => {
  const { who } = await account();
  const to = phone(35);
  await rig.vendors.chatError("whatsapp", { code: 131_050, how: "async", recipient: digits(to) });
  await chat(who, "template", { ...template(to), fallback: { sms: { message: "Your order is ready." } } });
  await waitFor("the opt-out", async () => (await listed(who)).length === 1 || undefined);
  assert.deepEqual(await refusals(who, to), [true, false]);
});

test("STOP by a person who hides the phone stops the phone that was told before, and START takes it back", async () => {
  const { who, says } = await account();
  const [to, user] = [phone(40), userId(40)];
  await says({ from: digits(to), from_user_id: user }, "Hello");
  await says({ from: "", from_user_id: user }, "STOP 2442");
  assert.deepEqual(await refusals(who, to), [true, true]);
  assert.deepEqual(
    (await listed(who)).map((row) => [row.phone, row.user_id, row.channel]),
    [[to, user, "all"]],
  );
  assert.equal((await chatRefused(who, "template", news(user))).code, "recipient_opted_out");
  assert.equal((await listed(who, `?user_id=${user}`)).length, 1);
  await says({ from_user_id: user }, "START");
  assert.deepEqual(await refusals(who, to), [false, false]);
});

test("a pair that a status of a message told is known when the person says STOP with the phone hidden", async () => {
  const { who, tell, says } = await account();
  const [to, user] = [phone(42), userId(42)];
  const never = 3_600_000;
  await rig.vendors.settings("whatsapp", { sentMs: never, deliveredMs: never, readMs: never });
  const sent = await chat(who, "template", news(to));
  await nameOf(who, sent);
  await rig.vendors.settings("whatsapp", { sentMs: 50, deliveredMs: 200, readMs: 500 });
  const status = {
    id: await nameOf(who, sent),
    status: "delivered",
    timestamp: String(Math.floor(Date.now() / 1_000)),
  };
  await tell("messages", { statuses: [{ ...status, recipient_id: digits(to), recipient_user_id: user }] });
  await chatReached(who, sent.id, "delivered");
  await says({ from: "", from_user_id: user }, "STOP");
  assert.deepEqual(await refusals(who, to), [true, true]);
  assert.deepEqual(
    (await inbound(who, to)).map(({ from }) => from),
    [user],
    "and what was said is found by the phone",
  );
});

test("a person of whom only an id is known opts out, is listed without a phone, and is that phone's owner once it is told", async () => {
  const { who, says } = await account();
  const [to, user] = [phone(41), userId(41)];
  await says({ from: "", from_user_id: user }, "stop sending me messages");
  const [row] = await listed(who);
  assert.deepEqual([row?.phone, row?.user_id, row?.channel], [undefined, user, "all"]);
  assert.deepEqual(await refusals(who, to), [false, false]);
  await says({ from: digits(to), from_user_id: user }, "Hello");
  assert.deepEqual(await refusals(who, to), [true, true]);
});

test("the opt-out goes with a person who changes number, in each way that Meta tells it", async () => {
  const changes: readonly ((from: string, to: string, was: string, is: string) => [string, object])[] = [
    (from, to) => ["messages", { messages: [system({ from }, { type: "user_changed_number", wa_id: to })] }],
    (from, to, was, is) => [
      "messages",
      { messages: [system({ from, from_user_id: was }, { type: "user_changed_number", wa_id: to, user_id: is })] },
    ],
    (_from, to, was, is) => [
      "user_id_update",
      { user_id_update: [{ wa_id: to, user_id: { previous: was, current: is }, timestamp: "1790000000" }] },
    ],
  ];
  const system = (from: object, change: object) => ({
    id: nextId(),
    timestamp: "1790000000",
    type: "system",
    ...from,
    system: { body: "changed", ...change },
  });
  for (const [index, change] of changes.entries()) {
    const { who, tell, says } = await account();
    const [old, present, was, is] = [phone(50 + index), phone(60 + index), userId(50 + index), userId(60 + index)];
    await says({ from: digits(old), from_user_id: was }, "STOP");
    await tell(...change(digits(old), digits(present), was, is));
    assert.deepEqual(await refusals(who, present), [true, true], `change ${index}`);
    assert.deepEqual(
      (await listed(who)).map((row) => row.phone),
      [present],
    );
    await says({ from: digits(present) }, "START");
    assert.deepEqual(await refusals(who, present), [false, false]);
  }
});

rig.provesItsLedger();
