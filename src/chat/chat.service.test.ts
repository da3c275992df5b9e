import assert from "node:assert/strict";
import { test } from "node:test";
import config from "../../afara.config.ts";
import { makeDestinationCaps } from "../counters/destination-caps.ts";
import { MemoryCounters } from "../counters/memory-counters.ts";
import { DAY_MS, SECOND_MS } from "../kernel/duration.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import type { Order } from "../orders/order.ts";
import { findOrder } from "../orders/orders.repo.ts";
import { makeOrders } from "../orders/orders.ts";
import type { RequestKeys } from "../orders/repeats.ts";
import type { VendorTemplate } from "../ports/chat-payload.ts";
import type { InboundMessage } from "../ports/provider.ts";
import { makeTestAccount } from "../testing/account.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { REAL_CLOCK } from "../testing/engine.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import { MovableClock } from "../testing/webhooks-rig.ts";
import type { ChatCaller, IsOptedOut } from "./caller.ts";
import { CHAT, storedChat } from "./chat.definition.ts";
import { type ChatOptions, makeChat } from "./chat.service.ts";
import type { ChatRequest } from "./content.ts";
import { makeInbound } from "./inbound.ts";
import { releaseChatNumber } from "./numbers.repo.ts";
import { makeChatNumbers } from "./numbers.service.ts";
import { makeChatPreSendCheck } from "./pre-send-check.ts";
import { makeChatSeal } from "./sealed-chat.ts";
import { makeTemplates } from "./templates.service.ts";
import { readWindow } from "./windows.repo.ts";

/** The service on a real database, with a clock that stands; where messages leave, one that goes on and is the service's alone. */
const db = (await makeTestDatabase()).open();
const PHONE = "2348031234567";
const TEXT: ChatRequest = { kind: "text", message: "Hello" };

const TEMPLATES: readonly VendorTemplate[] = [
  { name: "order_update", status: "approved", category: "utility" },
  { name: "paused_one", status: "paused", category: "utility" },
  { name: "offer", status: "approved", category: "marketing" },
].map(
  (template) =>
    ({ ...template, language: "en_US", body: "Hello {{1}}", buttons: [], isNamed: false }) as VendorTemplate,
);

const failureOf = ({ facts }: Pick<Order, "facts">) => (facts?.failure as { code: string } | undefined)?.code;

let numbersMade = 0;

interface RigOptions {
  readonly dispatches?: boolean;
  readonly optedOut?: readonly string[];
  readonly beforeAccept?: (order: NewOrder) => Promise<void>;
}

async function makeRig({ dispatches = false, optedOut = [], beforeAccept }: RigOptions = {}) {
  const clock = dispatches ? new MovableClock() : new StandingClock();
  const provider = new ScriptedProvider(`chat-${newUuid()}`);
  let listed = TEMPLATES;
  let lists = 0;
  const isOptedOut: IsOptedOut = async ({ address }) => optedOut.includes(address);
  const orders = makeOrders({
    db,
    node: newUuid(),
    role: dispatches ? "all" : "api",
    // A clock that is put forward differs from the database's, and then no order leaves.
    clock: dispatches ? REAL_CLOCK : clock,
    log: SILENT,
    services: [CHAT],
    routes: [
      {
        provider,
        settings: { name: provider.name, queues: ["chat:test"], weight: 1, window: 10, ratePerSecond: 1_000 },
      },
    ],
    isSuspended: async () => false,
    leaseSeconds: 30,
    inboxMax: 100,
    waitingMax: 100,
    answerMs: 1_000,
  });
  orders.attach([{ definition: CHAT, preSendCheck: makeChatPreSendCheck({ db, clock, isOptedOut }) }]);
  const testNumbers = Array.from({ length: 3 }, () => ({
    number: String(2_347_000_000_001 + numbersMade++),
    provider: provider.name,
  }));
  const numbers = makeChatNumbers({ db, clock, testNumbers });
  const templates = makeTemplates({
    db,
    clock,
    log: SILENT,
    sources: [
      {
        provider: provider.name,
        templates: async () => {
          lists += 1;
          return listed;
        },
      },
    ],
  });
  const chat = makeChat({
    db,
    orders: {
      serves: (queue, labels) => orders.serves(queue, labels),
      repeatOr: (...request) => orders.repeatOr(...request),
      refusalOf: orders.refusalOf,
      acceptOnce: async (order, ...rest) => {
        await beforeAccept?.(order);
        return orders.acceptOnce(order, ...rest);
      },
    },
    clock,
    numbers,
    templates,
    media: { resolve: async () => assert.fail("no file is looked at here") },
    isOptedOut,
    destinationCaps: makeDestinationCaps(new MemoryCounters(clock), {}),
    seal: makeChatSeal("a secret of the server"),
    makeFallbackSms: async () => assert.fail("no fallback by SMS here"),
    vatBasisPoints: config.vatBasisPoints,
    plans: config.services.chat?.plans ?? [],
  });
  const record = makeInbound({ db, clock, applyOptOut: () => undefined });
  const plan = config.services.chat!.plans.at(-1)!;
  const newCaller = async (): Promise<ChatCaller> => {
    const { accountId } = await makeTestAccount(db, {
      secret: "pepper",
      plan: "scale",
      also: { chat: "scale" },
      balance: "100.00",
    });
    return { accountId, mode: "test", plan };
  };
  const caller = await newCaller();
  const numberOf = async (who: ChatCaller) => (await numbers.all(who))[0]!.number;
  const number = await numberOf(caller);
  return {
    clock,
    provider,
    orders,
    numbers,
    caller,
    newCaller,
    number,
    numberOf,
    lists: () => lists,
    lists_are: (templates: readonly VendorTemplate[]) => {
      listed = templates;
    },
    send: (request: ChatRequest = TEXT, options: ChatOptions = {}, keys: Partial<RequestKeys> = {}, who = caller) =>
      chat.send(who, "08031234567", request, options, {
        idempotencyKey: undefined,
        fingerprint: Buffer.alloc(32, 1),
        ...keys,
      }),
    writes: (at: Date, to = number, id: string = newUuid()) => {
      const message: InboundMessage = {
        providerReference: id,
        from: PHONE,
        to,
        text: "Hi",
        at,
        facts: { type: "text" },
      };
      return record(provider.name, "test", message);
    },
    window: () => readWindow(db, { mode: "test", number, recipient: PHONE }),
    codeOf: (sent: { ok: boolean; error?: { code: string } }) => (sent.ok ? "accepted" : sent.error?.code),
  };
}

test("a text needs the recipient's window: before it 409, in it accepted, at its very end 409 with when it closed", async () => {
  const rig = await makeRig();
  const before = await rig.send();
  assert.ok(!before.ok);
  assert.equal(before.error.code, "chat_window_closed");
  assert.deepEqual(before.error.members, { window: { last_inbound_at: null, closed_at: null } });

  // It arrives late; the vendor's time counts.
  const written = rig.clock.now();
  rig.clock.advance(60 * SECOND_MS);
  await rig.writes(written);
  assert.ok((await rig.send()).ok);

  rig.clock.advance(DAY_MS - 60 * SECOND_MS - 1);
  assert.ok((await rig.send()).ok);
  rig.clock.advance(1);
  assert.equal(rig.codeOf(await rig.send()), "chat_window_closed");
  rig.clock.advance(SECOND_MS);
  const after = await rig.send();
  assert.ok(!after.ok);
  assert.deepEqual(after.error.members, {
    window: {
      last_inbound_at: written.toISOString(),
      closed_at: new Date(written.getTime() + DAY_MS).toISOString(),
    },
  });
});

test("the accepting transaction has the last word on the window, whatever was seen before", async () => {
  const rig = await makeRig();
  await rig.writes(rig.clock.now());
  const sent = await rig.send();
  assert.ok(sent.ok && !("updatedAt" in sent.value.order));
  const again = { ...sent.value.order, id: newUuid(), createdAt: new Date(rig.clock.now().getTime() + DAY_MS) };
  assert.deepEqual(await rig.orders.accept(again), {
    ok: true,
    value: { kind: "not_accepted", why: { kind: "rule", rule: "chat_window_open" } },
  });
  assert.equal(await findOrder(db, rig.caller.accountId, again.id), undefined);
});

test("a window that closes while its message is accepted has the fallback sent at once", async () => {
  const tried: string[] = [];
  const rig = await makeRig({
    beforeAccept: async (order) => {
      tried.push(order.id);
      await db.query("delete from chat_windows where recipient = $1", [order.recipient]);
    },
  });
  await rig.writes(rig.clock.now());
  const fallback = { template: { name: "order_update", language: "en_US", variables: { body: ["Ada"] } } };
  const sent = await rig.send(TEXT, { fallback });
  assert.ok(sent.ok);
  const stored = await findOrder(db, rig.caller.accountId, sent.value.order.id);
  assert.ok(stored);
  assert.equal(storedChat(stored).fallback?.at_once, true);
  assert.equal(stored.priceKobo, 1_000n);
  assert.equal(tried.length, 2);
});

test("messages that come in any order never move a window back, and a repeat changes nothing", async () => {
  const rig = await makeRig();
  const now = rig.clock.now();
  const earlier = new Date(now.getTime() - 3_600_000);
  await rig.writes(now, rig.number, "second");
  await rig.writes(earlier, rig.number, "first");
  await rig.writes(new Date(now.getTime() + 5_000), rig.number, "second");
  assert.deepEqual((await rig.window()).lastInboundAt, now);
});

test("a window belongs to one number: it says nothing about another account's, nor about the account's other one", async () => {
  const rig = await makeRig();
  const other = await rig.newCaller();
  assert.notEqual(await rig.numberOf(other), rig.number);
  await rig.writes(rig.clock.now());
  assert.equal(rig.codeOf(await rig.send(TEXT, {}, {}, other)), "chat_window_closed");
  const foreign = await rig.send(TEXT, { from: `+${rig.number}` }, {}, other);
  assert.ok(!foreign.ok);
  assert.equal(foreign.error.code, "sender_not_approved");
  assert.equal(foreign.error.errors?.[0]?.pointer, "/from");
});

test("an account in test mode gets one number at its first use, however many requests come at once; when none is left it is told", async () => {
  const rig = await makeRig();
  const second = await rig.newCaller();
  const seen = await Promise.all(Array.from({ length: 5 }, () => rig.numberOf(second)));
  assert.equal(new Set(seen).size, 1);
  await rig.numberOf(await rig.newCaller());
  const late = await rig.send(TEXT, {}, {}, await rig.newCaller());
  assert.ok(!late.ok);
  assert.equal(late.error.code, "sender_not_approved");
});

test("a number that is taken back leaves no window to whoever gets it next", async () => {
  const rig = await makeRig();
  await rig.writes(rig.clock.now());
  await releaseChatNumber(db, rig.number, "test", { kind: "operator", name: "ada" });
  assert.equal((await rig.window()).lastInboundAt, null);
});

test("a template is sent at any time, by the price of its category", async () => {
  const rig = await makeRig();
  const sent = await rig.send({
    kind: "template",
    template: "order_update",
    language: "en_US",
    variables: { body: ["Ada"] },
  });
  assert.ok(sent.ok);
  assert.equal(sent.value.order.priceKobo, 1_000n);
  assert.equal(sent.value.order.ambiguity, "retry");
});

test("a marketing template goes to nobody who has opted out, and by itself at most once", async () => {
  const offer: ChatRequest = { kind: "template", template: "offer", language: "en_US", variables: { body: ["Ada"] } };
  const sent = await (await makeRig()).send(offer);
  assert.ok(sent.ok);
  assert.equal(sent.value.order.ambiguity, "fail");
  const refused = await (await makeRig({ optedOut: [PHONE] })).send(offer);
  assert.ok(!refused.ok);
  assert.equal(refused.error.code, "recipient_opted_out");
});

const UNFIT: readonly (readonly [
  what: string,
  template: string,
  language: string,
  body: readonly string[],
  code: string,
  place: string,
])[] = [
  ["that does not exist", "nothing", "en_US", ["Ada"], "template_not_found", "/template"],
  ["in another language", "order_update", "fr", ["Ada"], "template_not_found", "/language"],
  ["that is paused", "paused_one", "en_US", ["Ada"], "template_not_found", "/template"],
  ["with a wrong number of variables", "order_update", "en_US", [], "template_variables_mismatch", "/variables/body"],
];
for (const [what, template, language, body, code, place] of UNFIT)
  test(`a template ${what} is refused with ${code}, and nothing leaves`, async () => {
    const rig = await makeRig();
    const sent = await rig.send({ kind: "template", template, language, variables: { body } });
    assert.ok(!sent.ok);
    assert.equal(sent.error.code, code);
    assert.equal(sent.error.errors?.[0]?.pointer, place);
  });

test("a template that was made just now is asked for, at most once a minute", async () => {
  const rig = await makeRig();
  const late: ChatRequest = { kind: "template", template: "late", language: "en_US", variables: { body: ["Ada"] } };
  assert.equal(rig.codeOf(await rig.send(late)), "template_not_found");
  assert.equal(rig.lists(), 1);
  rig.lists_are([...TEMPLATES, { ...TEMPLATES[0]!, name: "late" }]);
  assert.equal(rig.codeOf(await rig.send(late)), "template_not_found");
  assert.equal(rig.lists(), 1);
  rig.clock.advance(60 * SECOND_MS);
  assert.ok((await rig.send(late)).ok);
  assert.equal(rig.lists(), 2);
});

test("everything that is wrong with a request is told at once", async () => {
  const rig = await makeRig();
  const sent = await rig.send(
    { kind: "template", template: "order_update", language: "en_US", variables: { body: ["a\nb"] } },
    { from: "+2340", reply_to: "msg_x" },
  );
  assert.ok(!sent.ok);
  assert.deepEqual(
    sent.error.errors?.map(({ pointer }) => pointer),
    ["/from"],
  );
  const other = await rig.send(
    { kind: "template", template: "order_update", language: "en_US", variables: { body: ["a\nb"] } },
    { reply_to: "msg_x" },
  );
  assert.ok(!other.ok);
  assert.deepEqual(
    other.error.errors?.map(({ pointer }) => pointer),
    ["/variables/body/0", "/reply_to"],
  );
});

test("a repeat is answered from its order even after the window has closed", async () => {
  const rig = await makeRig();
  await rig.writes(rig.clock.now());
  const keys = { idempotencyKey: `k-${newUuid()}` };
  const first = await rig.send(TEXT, {}, keys);
  assert.ok(first.ok);
  rig.clock.advance(DAY_MS);
  const again = await rig.send(TEXT, {}, keys);
  assert.ok(again.ok);
  assert.equal(again.value.replayed, true);
  assert.equal(again.value.order.id, first.value.order.id);
  const other = await rig.send({ kind: "text", message: "Other" }, {}, { ...keys, fingerprint: Buffer.alloc(32, 2) });
  assert.equal(rig.codeOf(other), "chat_window_closed");
});

test("a reply names a message of the same conversation: one that came, or one that the vendor has", async () => {
  const rig = await makeRig();
  await rig.writes(rig.clock.now(), rig.number, "wamid.IN");
  const { rows } = await db.query<{ id: Uuid }>("select id from chat_inbound where provider = $1", [rig.provider.name]);
  const sent = await rig.send(TEXT, { reply_to: encodeId("msg", rows[0]!.id) });
  assert.ok(sent.ok);
  assert.equal((sent.value.order.payload as { in_reply_to: string }).in_reply_to, "wamid.IN");
  // Not taken by the vendor yet.
  const unnamed = await rig.send(TEXT, { reply_to: encodeId("msg", sent.value.order.id) });
  assert.ok(!unnamed.ok);
  assert.equal(unnamed.error.errors?.[0]?.pointer, "/reply_to");
  const other = await rig.newCaller();
  await rig.writes(rig.clock.now(), await rig.numberOf(other));
  assert.ok(!(await rig.send(TEXT, { reply_to: encodeId("msg", rows[0]!.id) }, {}, other)).ok);
});

test("the vendor's word that the window is closed fails the message unpaid and closes the window, until the person writes again", async (t) => {
  const rig = await makeRig({ dispatches: true });
  await rig.orders.start([]);
  t.after(() => rig.orders.stop());
  await rig.writes(new Date(rig.clock.now().getTime() - 5_000));
  const sent = await rig.send();
  assert.ok(sent.ok);
  const { id } = sent.value.order;
  const stateIs = (state: string) =>
    waitFor(`the message is ${state}`, async () => {
      const order = await findOrder(db, rig.caller.accountId, id);
      return order?.state === state ? order : undefined;
    });
  await stateIs("sending");
  const taken = await waitFor("the vendor's reference", async () => {
    const order = await findOrder(db, rig.caller.accountId, id);
    return order?.pieces?.[0]?.reference;
  });
  await rig.provider.report({ providerReference: taken, status: "failed", code: "chat_window_closed" });
  const failed = await stateIs("failed");
  assert.equal(failureOf(failed), "chat_window_closed");
  const { rows } = await db.query<{ state: string }>("select state from transfers where order_id = $1", [id]);
  assert.deepEqual(rows, [{ state: "voided" }]);
  // Right after the commit, not in it.
  await waitFor("the window to be closed", async () => (await rig.window()).refusedAt ?? undefined);
  assert.equal(rig.codeOf(await rig.send()), "chat_window_closed");

  rig.clock.advance(2_000);
  await rig.writes(rig.clock.now());
  assert.equal((await rig.window()).refusedAt, null);
  assert.ok((await rig.send()).ok);
});

test("what waited for its vendor until the window had closed is not sent, and not charged", async (t) => {
  const rig = await makeRig({ dispatches: true });
  rig.provider.setReady(false);
  await rig.orders.start([]);
  t.after(() => rig.orders.stop());
  await rig.writes(new Date(rig.clock.now().getTime() - DAY_MS + 600_000));
  const sent = await rig.send();
  assert.ok(sent.ok);
  rig.clock.advance(1_200_000);
  rig.provider.setReady(true);
  const failed = await waitFor("the message has failed", async () => {
    const order = await findOrder(db, rig.caller.accountId, sent.value.order.id);
    return order?.state === "failed" ? order : undefined;
  });
  assert.equal(failureOf(failed), "chat_window_closed");
  assert.deepEqual(rig.provider.sent, []);
});

test("a list of templates that can't be had is asked for once a minute, however often an unknown one is named", async () => {
  const clock = new StandingClock();
  let asked = 0;
  const source = {
    provider: "away",
    templates: async () => {
      asked += 1;
      return undefined;
    },
  };
  const templates = makeTemplates({ db, clock, log: SILENT, sources: [source] });
  for (const name of ["one", "two", "three"]) {
    const found = await templates.find("away", name, "en");
    assert.equal(found.ok ? "" : found.error.code, "provider_unavailable", "not that there is no such template");
  }
  assert.equal(asked, 1);
  clock.advance(60_000);
  await templates.find("away", "one", "en");
  assert.equal(asked, 2);
});
