import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { type ChatMessage, chat, chatReached, chatRefused, chatStatus, handsetWrites, template } from "./chats.ts";
import { LATE_MS, type Money, type Problem, phone, type Subscriber, startRig } from "./rig.ts";

/** What is sent instead of a chat message: one order, one end, one charge, and the handset agrees. */

const rig = await startRig();
const account = () => rig.subscriber({ also: { chat: "scale" } });

interface WithFallback extends ChatMessage {
  readonly fallback?: {
    readonly sms?: { readonly message: string; readonly from: string; readonly segments: number };
    readonly template?: { readonly name: string };
    readonly price: Money;
    readonly used: boolean;
  };
  readonly timeline: readonly {
    readonly status: string;
    readonly at: string;
    readonly via?: "chat" | "sms";
    readonly detail?: string;
  }[];
}

const SMS = { sms: { message: "Your order is ready (SMS)" } };
const TEMPLATE = { template: { name: "order_update", language: "en_US", variables: { body: ["Ada", "4471"] } } };
/** On these plans, to an MTN number. */
const PRICES = { text: "1.00", template: "10.00" };

const message = async (who: Subscriber, id: string) => (await chatStatus(who, id)) as WithFallback;
const reached = async (who: Subscriber, id: string, state: string) =>
  (await chatReached(who, id, state)) as WithFallback;

/** What the handset has of this account: channel and words, the oldest first. */
const shownOn = async (who: Subscriber, to: string) =>
  (await who.handset(to))
    .map((one) => ({ channel: (one as unknown as { channel: string }).channel, text: one.text }))
    .reverse();

const viasOf = ({ timeline }: WithFallback) => timeline.map(({ status, via }) => `${status} ${via}`);

/** What the statement says of the message, oldest first: what each line charged or, where it charged nothing, held or released. */
async function linesOf(who: Subscriber, id: string): Promise<readonly string[]> {
  const { body } = await who.get<{ data: { kind: string; amount: Money; held_change: Money }[] }>(
    `/wallet/transactions?order=${id}`,
  );
  const moved = (amount: string, held: string) => (amount === "0.00" ? held : amount).replace("-", "");
  return body.data
    .map(({ kind, amount, held_change: held }) => `${kind} ${moved(amount.amount, held.amount)}`)
    .reverse();
}

const smsPrice = async (who: Subscriber) => {
  const { body } = await who.post<{ price: Money }>("/sms/preview", SMS.sms);
  return body.price.amount;
};

test("window closed: the SMS goes at once instead of a 409, and is all that is charged", async () => {
  const who = await account();
  const to = phone(1);
  const price = await smsPrice(who);
  const sent = (await chat(who, "text", { to, message: "Your order is ready", fallback: SMS })) as WithFallback;
  assert.deepEqual(
    [sent.status, sent.charge, sent.price.amount, sent.fallback?.price.amount, sent.fallback?.used],
    ["queued", "held", PRICES.text, price, true],
  );
  const ended = await reached(who, sent.id, "delivered");
  assert.deepEqual(await shownOn(who, to), [{ channel: "sms", text: SMS.sms.message }]);
  assert.deepEqual(viasOf(ended), ["queued sms", "sending sms", "delivered sms"]);
  assert.deepEqual(await linesOf(who, sent.id), [`hold ${price}`, `charge ${price}`]);
});

test("the vendor takes nothing: once its patience is over the SMS goes instead, and a message without a fallback waits on", async () => {
  const who = await account();
  const [to, other] = [phone(20), phone(21)];
  const price = await smsPrice(who);
  for (const one of [to, other]) {
    await handsetWrites(who, one);
    await rig.vendors.chatError("whatsapp", { code: 130_429, recipient: one.slice(1), times: 1_000 });
  }
  const sent = await chat(who, "text", { to, message: "Your order is ready", fallback: SMS });
  const waiting = await chat(who, "text", { to: other, message: "Your order is ready" });
  const ended = await reached(who, sent.id, "delivered");
  assert.equal(ended.fallback?.used, true);
  assert.deepEqual(await shownOn(who, to), [{ channel: "sms", text: SMS.sms.message }]);
  assert.deepEqual(await linesOf(who, sent.id), [`hold ${price}`, `charge ${price}`]);
  assert.equal((await message(who, waiting.id)).status, "queued");
});

test("delivered: with a window open the chat message is all there is, and the dearer hold gives the rest back", async () => {
  const who = await account();
  const to = phone(2);
  const price = await smsPrice(who);
  await handsetWrites(who, to);
  const sent = await chat(who, "text", { to, message: "Your order is ready", fallback: SMS });
  const ended = await reached(who, sent.id, "read");
  assert.deepEqual(ended.fallback?.used, false);
  assert.deepEqual(await shownOn(who, to), [{ channel: "chat", text: "Your order is ready" }]);
  assert.deepEqual(viasOf(ended), ["queued chat", "sending chat", "sent chat", "delivered chat", "read chat"]);
  assert.deepEqual(await linesOf(who, sent.id), [`hold ${price}`, `charge ${PRICES.text}`]);
});

for (const how of ["sync", "async"] as const)
  test(`vendor refuses (${how}): the SMS goes instead, and is all that is charged`, async () => {
    const who = await account();
    const to = phone(how === "sync" ? 3 : 4);
    const price = await smsPrice(who);
    await handsetWrites(who, to);
    await rig.vendors.chatError("whatsapp", { code: 131026, how, recipient: to });
    const sent = await chat(who, "text", { to, message: "Your order is ready", fallback: SMS });
    const ended = await reached(who, sent.id, "delivered");
    assert.deepEqual([ended.fallback?.used, ended.failure, ended.charge], [true, undefined, "charged"]);
    assert.deepEqual(await shownOn(who, to), [{ channel: "sms", text: SMS.sms.message }]);
    assert.deepEqual(viasOf(ended), ["queued chat", "sending chat", "queued chat", "sending sms", "delivered sms"]);
    assert.match(ended.timeline[2]?.detail ?? "", /the fallback is sent$/);
    assert.deepEqual(await linesOf(who, sent.id), [`hold ${price}`, `charge ${price}`]);
  });

test("vendor silent: with retry the SMS goes once that is all there is to try; with fail nothing does, and the money is back", async () => {
  const who = await account();
  const [retried, failed] = [phone(5), phone(6)];
  const price = await smsPrice(who);
  for (const to of [retried, failed]) {
    await handsetWrites(who, to);
    await rig.vendors.scenario("whatsapp", "never_received_silent", { recipient: to.slice(1), times: 9 });
  }
  const send = (to: string, on_ambiguous: string) =>
    chat(who, "text", { to, message: "Your order is ready", on_ambiguous, fallback: SMS });
  const [one, other] = await Promise.all([send(retried, "retry"), send(failed, "fail")]);
  const ended = await reached(who, one.id, "delivered");
  assert.equal(ended.fallback?.used, true);
  assert.deepEqual(await shownOn(who, retried), [{ channel: "sms", text: SMS.sms.message }]);
  assert.deepEqual(await linesOf(who, one.id), [`hold ${price}`, `charge ${price}`]);

  const gone = await reached(who, other.id, "failed");
  assert.deepEqual([gone.failure?.code, gone.charge, gone.fallback?.used], ["outcome_unknown", "returned", false]);
  assert.deepEqual(await shownOn(who, failed), []);
  assert.deepEqual(await linesOf(who, other.id), [`hold ${price}`, `return ${price}`]);
});

test("a lost answer that turns out delivered sends no SMS, whatever on_ambiguous says", async () => {
  const who = await account();
  const to = phone(7);
  await handsetWrites(who, to);
  await rig.vendors.scenario("whatsapp", "timeout_then_delivered", { recipient: to.slice(1) });
  const sent = await chat(who, "text", { to, message: "Once", on_ambiguous: "fail", fallback: SMS });
  const ended = await reached(who, sent.id, "read");
  assert.equal(ended.fallback?.used, false);
  assert.deepEqual(await shownOn(who, to), [{ channel: "chat", text: "Once" }]);
});

test("a template goes instead of a text when the window is closed, and reads as the recipient sees it", async () => {
  const who = await account();
  const to = phone(8);
  const sent = (await chat(who, "text", { to, message: "Free words", fallback: TEMPLATE })) as WithFallback;
  assert.deepEqual([sent.price.amount, sent.fallback?.price.amount], [PRICES.text, PRICES.template]);
  assert.equal(sent.fallback?.template?.name, "order_update");
  const ended = await reached(who, sent.id, "read");
  assert.deepEqual(viasOf(ended).at(0), "queued chat");
  assert.deepEqual(await shownOn(who, to), [{ channel: "chat", text: "Hello Ada, your order 4471 is ready." }]);
  assert.deepEqual(await linesOf(who, sent.id), [`hold ${PRICES.template}`, `charge ${PRICES.template}`]);
});

test("a window that the vendor says is closed falls back to the template, and is corrected", async () => {
  const who = await account();
  const to = phone(9);
  await handsetWrites(who, to);
  await rig.vendors.chatError("whatsapp", { code: 131047, how: "async", recipient: to });
  const sent = await chat(who, "text", { to, message: "Free words", fallback: TEMPLATE });
  const ended = await reached(who, sent.id, "read");
  assert.deepEqual([ended.fallback?.used, ended.failure], [true, undefined]);
  assert.deepEqual(await linesOf(who, sent.id), [`hold ${PRICES.template}`, `charge ${PRICES.template}`]);
  const { body } = await who.get<{ open: boolean }>(`/chat/window/${encodeURIComponent(to)}`);
  assert.equal(body.open, false);
});

test("an SMS that is not delivered either ends the order failed, and everything is returned", async () => {
  const who = await account();
  const to = "+2348000000001"; // to SMS, too: the network does not know it
  const price = await smsPrice(who);
  const sent = await chat(who, "template", template(to, ["Ada", "1"], { fallback: SMS }));
  const ended = await reached(who, sent.id, "failed");
  assert.deepEqual([ended.charge, ended.fallback?.used], ["returned", true]);
  assert.ok(ended.timeline.some(({ via }) => via === "sms") && ended.failure);
  const held = Number(price) > Number(PRICES.template) ? price : PRICES.template;
  assert.deepEqual(await linesOf(who, sent.id), [`hold ${held}`, `return ${held}`]);
});

test("…08 in test mode: the text fails as outside the window, and the template that stands in arrives", async () => {
  const who = await account();
  const to = "+2348000000008";
  await handsetWrites(who, to);
  const sent = await chat(who, "text", { to, message: "Free words", fallback: TEMPLATE });
  assert.equal((await reached(who, sent.id, "read")).fallback?.used, true);
});

test("…05 in test mode is answered by neither way, and ends within half a minute", async () => {
  const who = await account();
  const to = "+2348000000005";
  await handsetWrites(who, to);
  const sent = await chat(who, "text", { to, message: "Free words", on_ambiguous: "retry", fallback: SMS });
  const ended = await reached(who, sent.id, "failed");
  assert.ok(Date.parse(ended.timeline.at(-1)?.at ?? "") - Date.parse(ended.timeline[0]?.at ?? "") < 30_000 + LATE_MS);
});

test("an SMS that is sent instead is one of the month's quota, and of many at once no more pass than are left", async () => {
  const who = await rig.subscriber({ plan: "free", also: { chat: "scale" } });
  const used = async () => {
    const { rows } = await rig.db.query<{ used: bigint }>(
      "select used from usage_counters where account_id = $1 and service = 'sms'",
      [who.accountId],
    );
    return rows[0]?.used;
  };
  const later = phone(30);
  await handsetWrites(who, later);
  await rig.vendors.chatError("whatsapp", { code: 131026, recipient: later.slice(1) });
  const failing = await chat(who, "text", { to: later, message: "Hi", fallback: SMS });
  await reached(who, failing.id, "delivered");
  assert.equal(await used(), 1n);

  await rig.db.query("update usage_counters set used = 97 where account_id = $1 and service = 'sms'", [who.accountId]);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      who.post<Problem>("/chat/send/text", { to: phone(31 + index), message: "Hi", fallback: SMS }),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 202).length, 3);
  assert.ok(answers.every(({ status, body }) => status === 202 || body.code === "quota_exceeded"));
  assert.equal(await used(), 100n);
});

test("a fallback that could not be sent is refused at once with its place, together with everything else", async () => {
  const who = await account();
  const chatOnly = await rig.subscriber({ also: { chat: "scale" } });
  await rig.db.query("delete from subscriptions where account_id = $1 and service = 'sms'", [chatOnly.accountId]);
  const text = { to: phone(10), message: "Hi" };
  for (const [from, fallback, code, pointer] of [
    [who, {}, "validation_failed", "/fallback"],
    [who, { ...SMS, ...TEMPLATE }, "validation_failed", "/fallback/sms"],
    [who, { sms: { message: "x".repeat(2_000) } }, "message_too_long", "/fallback/sms/message"],
    [who, { sms: { message: "Hi", from: "!" } }, "validation_failed", "/fallback/sms/from"],
    [who, { template: { name: "nothing", language: "en_US" } }, "template_not_found", "/fallback/template/name"],
    [
      who,
      { template: { name: "order_update", language: "en_US", variables: { body: ["Ada"] } } },
      "template_variables_mismatch",
      "/fallback/template/variables/body",
    ],
    [chatOnly, SMS, "not_subscribed", "/fallback/sms"],
  ] as const) {
    const refused = await chatRefused(from, "text", { ...text, fallback });
    assert.deepEqual([refused.code, refused.errors?.map((fault) => fault.pointer)], [code, [pointer]]);
  }
  assert.equal((await who.wallet()).held, 0n);
});

test("a repeat is answered as the first request was, whatever the window and the order have come to", async () => {
  const who = await account();
  const body = { to: phone(11), message: "Hi", fallback: SMS, reference: "again" };
  const first = await who.post<WithFallback>("/chat/send/text", body);
  await reached(who, first.body.id, "delivered");
  await handsetWrites(who, body.to);
  const again = await who.post<WithFallback>("/chat/send/text", body);
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.deepEqual(again.body, first.body);
  await waitFor("one message on the handset", async () => (await shownOn(who, body.to)).length === 1 || undefined);
  assert.equal((await message(who, first.body.id)).status, "delivered");
});

rig.provesItsLedger();
