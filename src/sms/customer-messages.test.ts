import assert from "node:assert/strict";
import { test } from "node:test";
import config from "../../afara.config.ts";
import { makePlans } from "../accounts/plans.ts";
import { unsubscribe } from "../accounts/subscriptions.repo.ts";
import { makeDestinationCaps } from "../counters/destination-caps.ts";
import { MemoryCounters } from "../counters/memory-counters.ts";
import { makeErasedName } from "../kernel/erased-name.ts";
import { newUuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { findOrder } from "../orders/orders.repo.ts";
import { makeOrders } from "../orders/orders.ts";
import type { CustomerMessage } from "../ports/customer-message.ts";
import { makeTestAccount } from "../testing/account.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { makeCustomerMessages } from "./customer-messages.ts";
import { makeSmsSeal } from "./sealed-sms.ts";
import { makeSenders } from "./senders.service.ts";
import { SMS, storedSms } from "./sms.definition.ts";
import { makeSms } from "./sms.service.ts";
import { makeSuppressions } from "./suppressions.service.ts";

/** On a real database; nothing is dispatched. */
const db = (await makeTestDatabase()).open();
const clock = new StandingClock();
const seal = makeSmsSeal("a secret of the server");
const orders = makeOrders({
  db,
  node: newUuid(),
  role: "api",
  clock,
  log: SILENT,
  services: [SMS],
  routes: [
    {
      provider: new ScriptedProvider("v"),
      settings: { name: "v", queues: ["sms:test"], weight: 1, window: 1, ratePerSecond: 1 },
    },
  ],
  isSuspended: async () => false,
  leaseSeconds: 30,
  inboxMax: 10,
  waitingMax: 100,
  answerMs: 1_000,
});
const send = makeCustomerMessages({
  db,
  plans: makePlans(config),
  sms: makeSms({
    db,
    orders,
    clock,
    defaultSender: "Afara",
    vatBasisPoints: config.vatBasisPoints,
    plans: config.services.sms?.plans ?? [],
    senders: makeSenders({ db, clock, defaultSender: "Afara", openSenders: [] }),
    suppressions: makeSuppressions({ db, clock, erasedName: makeErasedName("a secret") }),
    destinationCaps: makeDestinationCaps(new MemoryCounters(clock), {}),
    seal,
  }),
});

async function makeMessage(more: Partial<CustomerMessage> = {}, balance = "100.00"): Promise<CustomerMessage> {
  const { accountId } = await makeTestAccount(db, { secret: "pepper", plan: "free", balance });
  return { channel: "sms", accountId, mode: "test", id: newUuid(), to: "2348031234567", text: "Hello", ...more };
}

test("a secret is stored as what may be shown, and counted and charged as the text that leaves", async () => {
  const text = `Your tokens: ${"1234 5678 9012 3456 7890, ".repeat(8)}`;
  const message = await makeMessage({ text, shownAs: "Your tokens: ****" });
  const sent = await send(message);
  assert.ok(sent.ok);
  assert.deepEqual(sent.value, {
    id: message.id,
    status: "queued",
    to: "2348031234567",
    priceKobo: kobo(800),
    taxKobo: kobo(56),
    replayed: false,
  });
  const order = await findOrder(db, message.accountId, message.id);
  assert.ok(order);
  assert.equal(storedSms(order).text, "Your tokens: ****");
  assert.equal(storedSms(order).segments, 2);
  assert.doesNotMatch(JSON.stringify(order.payload), /1234 5678/);
  assert.equal((seal.open(order) as { text: string }).text, text.normalize("NFC"));
});

test("an account without SMS, or with an empty wallet, is told so, and nothing is sent", async () => {
  const unsubscribed = await makeMessage();
  await unsubscribe(db, unsubscribed.accountId, "sms");
  const poor = await makeMessage({}, "0.00");
  for (const [message, code] of [
    [unsubscribed, "not_subscribed"],
    [poor, "insufficient_balance"],
  ] as const) {
    const sent = await send(message);
    assert.equal(sent.ok ? "sent" : sent.error.code, code);
    assert.equal(await findOrder(db, message.accountId, message.id), undefined);
  }
});

test("whoever tries the same message several times at once makes one", async () => {
  const message = await makeMessage();
  const tries = await Promise.allSettled([send(message), send(message), send(message)]);
  const made = tries.filter((tried) => tried.status === "fulfilled" && tried.value.ok);
  assert.equal(made.length, 1);
  assert.ok(await findOrder(db, message.accountId, message.id));
});
