import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import pg from "pg";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, refuse } from "../kernel/result.ts";
import { openLedgerAccounts } from "../ledger/ledger.repo.ts";
import { findOrder } from "../orders/orders.repo.ts";
import { makeOrders } from "../orders/orders.ts";
import type { CustomerMessage, SendToCustomer } from "../ports/customer-message.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { makeCustomer, newOrder, REAL_CLOCK, waitForState } from "../testing/engine.ts";
import { PARCEL } from "../testing/parcel.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import type { NoticeWords } from "./notice-text.ts";
import { readNotices } from "./notices.repo.ts";
import { makeNotices, type Notices } from "./notices.ts";
import { purchaseDefinition } from "./purchase.definition.ts";
import { makeTokenSeal, maskedCode } from "./tokens.ts";

const database = await makeTestDatabase();
const db = database.open();
const seal = makeTokenSeal("a secret of the server");
const ELECTRICITY = purchaseDefinition("electricity", {});
const TOKEN = "12345678901234567890";

const tokenNotice: NoticeWords = (_order, tokens) => {
  const told = (write: (token: string) => string) => tokens.map(({ value }) => write(value)).join(" ");
  return { text: told((value) => value), shownAs: told(maskedCode) };
};

/** A node that sells electricity from a vendor that delivers at once; its messages are parcels. */
async function startNode(t: TestContext, { answer, tells = true }: { answer?: SendToCustomer; tells?: boolean } = {}) {
  const vendor = new ScriptedProvider("vendor");
  vendor.answers(() => ({ kind: "done", facts: { tokens: [{ kind: "credit", value: TOKEN }] } }));
  const carrier = new ScriptedProvider("carrier");
  const messages: CustomerMessage[] = [];
  const orders = makeOrders({
    db,
    node: newUuid(),
    role: "all",
    clock: REAL_CLOCK,
    log: SILENT,
    services: [ELECTRICITY, PARCEL],
    routes: [
      { provider: vendor, settings: { ...ROUTE, name: "vendor", queues: ["electricity:test"] } },
      { provider: carrier, settings: { ...ROUTE, name: "carrier", queues: ["parcel:test"] } },
    ],
    isSuspended: async () => false,
    leaseSeconds: 30,
    inboxMax: 100,
    waitingMax: 100,
    answerMs: 5_000,
  });
  const send: SendToCustomer = async (message) => {
    messages.push(message);
    const { accountId, id, to } = message;
    const accepted = await orders.accept(
      newOrder(accountId, { id, recipient: to, payload: { text: message.shownAs } }),
    );
    if (!accepted.ok) return accepted;
    return ok({ id, status: "queued", to, priceKobo: kobo(400), taxKobo: kobo(28), replayed: false });
  };
  const notices: Notices = makeNotices({
    db,
    log: SILENT,
    seal,
    send: answer ?? send,
    lines: new Map([["electricity", { notice: tokenNotice }]]),
  });
  orders.attach([
    { definition: ELECTRICITY, redact: seal.seal, ...(tells && { onChanged: notices.changed }) },
    { definition: PARCEL },
  ]);
  await orders.start([]);
  t.after(() => orders.stop());

  const buy = async (accountId: Uuid) => {
    const purchase = newOrder(accountId, {
      service: "electricity",
      state: "processing",
      ambiguity: "requery",
      recipient: "11111111111",
      payload: {
        product: "electricity",
        disco: "ikeja-electric",
        meter_type: "prepaid",
        amount_kobo: "400",
        paid_for_kobo: "400",
        phone: "2348031234567",
        customer: { name: "ADA OBI", address: null },
        notify: { channel: "sms" },
      },
    });
    await orders.accept(purchase);
    return waitForState(db, purchase, "successful");
  };
  return { notices, messages, buy };
}

const ROUTE = { weight: 1, window: 50, ratePerSecond: 100_000 };

async function customer(): Promise<Uuid> {
  const accountId = await makeCustomer(db);
  await openLedgerAccounts(db, accountId, "test", ["sales:electricity"]);
  return accountId;
}

const noticeOf = async (accountId: Uuid, orderId: Uuid) => (await readNotices(db, accountId, [orderId])).get(orderId);

/** As if the node that recorded the success had ended right after. */
async function ageNotices(): Promise<void> {
  const client = new pg.Client(database.connection);
  await client.connect();
  await client.query("update notices set created_at = created_at - interval '1 hour'");
  await client.end();
}

test("a success is told to the customer at once, with the token, by one message that shows it masked", async (t) => {
  const { messages, buy } = await startNode(t);
  const accountId = await customer();
  const { id } = await buy(accountId);
  const notice = await waitFor("the message", async () => {
    const found = await noticeOf(accountId, id);
    return found?.message_id === undefined ? undefined : found;
  });
  assert.equal(notice.price?.amount, "4.00");
  const [message, ...others] = messages;
  assert.ok(message);
  assert.deepEqual(others, []);
  assert.equal(notice.message_id, encodeId("msg", message.id));
  assert.equal(message.to, "2348031234567");
  assert.match(message.text, /12345678901234567890/);
  assert.doesNotMatch(message.shownAs ?? "", /1234/);
});

test("what a node left over when it ended is told by the sweep, by however many nodes at once, and once", async (t) => {
  const accountId = await customer();
  const first = await startNode(t, { tells: false });
  const second = await startNode(t, { tells: false });
  const { id } = await first.buy(accountId);
  await first.notices.sweep();
  assert.equal((await noticeOf(accountId, id))?.status, "pending", "the node that records a success goes first");
  await ageNotices();
  await Promise.all([first.notices.sweep(), second.notices.sweep(), first.notices.sweep()]);
  const { message_id } = (await noticeOf(accountId, id)) ?? {};
  assert.ok(message_id);
  const ids = new Set([...first.messages, ...second.messages].map((message) => encodeId("msg", message.id)));
  assert.deepEqual([...ids], [message_id]);
  await first.notices.sweep();
  const order = await findOrder(db, accountId, first.messages[0]!.id);
  assert.equal(order?.priceKobo, kobo(400));
});

test("a message that is refused says why in the purchase, which stays as it is", async (t) => {
  const { buy } = await startNode(t, { answer: async () => refuse(refusal("not_subscribed", "Not subscribed.")) });
  const accountId = await customer();
  const { id } = await buy(accountId);
  const notice = await waitFor("the refusal", async () => {
    const found = await noticeOf(accountId, id);
    return found?.status === "refused" ? found : undefined;
  });
  assert.deepEqual(notice.failure, { code: "not_subscribed", detail: "Not subscribed." });
  assert.equal((await findOrder(db, accountId, id))?.state, "successful");
});

test("a message that can't be accepted just now is tried again", async (t) => {
  let tries = 0;
  const answer: SendToCustomer = async ({ id, to }) => {
    tries += 1;
    if (tries === 1) return refuse(refusal("overloaded", "Later."));
    return ok({ id, status: "queued", to, priceKobo: kobo(0), taxKobo: kobo(0), replayed: false });
  };
  const { notices, buy } = await startNode(t, { answer });
  const accountId = await customer();
  const { id } = await buy(accountId);
  await notices.idle();
  await waitFor("the first try", async () => tries === 1 || undefined);
  assert.equal((await noticeOf(accountId, id))?.status, "pending");
  await ageNotices();
  await notices.sweep();
  assert.equal((await noticeOf(accountId, id))?.status, "made");
});
