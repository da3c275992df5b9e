import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeId } from "../../src/kernel/ids.ts";
import { makeCli } from "../../src/testing/cli.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { chatReached, handsetWrites } from "./chats.ts";
import { buy, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { type Problem, phone, type Subscriber, startRig } from "./rig.ts";

/** The ways of a token to its customer that no vendor's answer takes: by chat, and by an operator to whom it was read out. */
const rig = await startRig();
const PURCHASE = "/electricity/purchase";

let places = 0;
/** A meter that nothing was bought for yet, and its customer's phone. */
function nextMeter() {
  places += 1;
  return { meter: `1${String(3_000_000_000 + places)}`, to: phone(places) };
}
const bodyFor = ({ meter, to }: { meter: string; to: string }, more: object = {}) => ({
  meter_number: meter,
  disco: "ikeja-electric",
  amount: 2_000,
  to,
  ...more,
});
const customer = () => rig.subscriber({ balance: "10000.00", also: { electricity: "scale", chat: "scale" } });

test("a token goes by chat to a customer who has written, is masked wherever it is read, and stands in no row", async () => {
  const place = nextMeter();
  const chatting = await customer();
  await handsetWrites(chatting, place.to);
  const bought = purchaseIn(await buy(chatting, PURCHASE, bodyFor(place, { notify: { channel: "chat" } })));
  const message = await waitFor("the customer's message", async () =>
    (await chatting.handset(place.to)).find(({ channel, text }) => channel === "chat" && text.includes("Token:")),
  );
  const token = bought.tokens?.[0]?.value ?? "none";
  assert.ok(message.text.includes(token), message.text);
  const shown = await chatReached(chatting, message.message_id, "delivered");
  assert.match(shown.message ?? "", /Token: \*{4} \*{4} \*{4} \*{4} \d{4}\./);
  const { notify } = await purchaseBecomes(chatting, bought, "successful");
  assert.partialDeepStrictEqual(notify, { channel: "chat", message_id: message.message_id });
  assert.match(notify?.status ?? "", /^(?:delivered|read)$/, "the customer may have read it by now");
  const { rows } = await rig.db.query<{ kept: string }>(
    "select payload::text || coalesce(facts::text, '') as kept from orders where id = $1",
    [decodeId("msg", message.message_id)],
  );
  assert.ok(rows[0] && !rows[0].kept.includes(token) && !rows[0].kept.includes(token.replaceAll(" ", "")));

  const again = await chatting.post<{ channel: string; message_id: string }>(`/electricity/resend/${bought.id}`, {
    channel: "chat",
  });
  assert.deepEqual([again.status, again.body.channel], [202, "chat"], JSON.stringify(again.body));
  await chatReached(chatting, again.body.message_id, "delivered");
});

test("a chat text to a customer who has not written is refused in the purchase, which stays as it is", async () => {
  const place = nextMeter();
  const chatting = await customer();
  const bought = purchaseIn(await buy(chatting, PURCHASE, bodyFor(place, { notify: { channel: "chat" } })));
  const purchase = await waitFor("the refusal", async () => {
    const now = await purchaseBecomes(chatting, bought, "successful");
    return now.notify?.status === "refused" ? now : undefined;
  });
  assert.equal(purchase.notify?.failure?.code, "chat_window_closed");
  const resent = await chatting.post<Problem>(`/electricity/resend/${bought.id}`, { channel: "chat" });
  assert.deepEqual([resent.status, resent.body.code], [409, "chat_window_closed"]);
});

const afara = makeCli(rig.environment);
/** As successful; again until no node asks the vendor at that moment. */
const resolve = (id: string, more: readonly string[], input?: string) =>
  waitFor("a moment at which nobody asks", async () => {
    const args = ["orders", "resolve", id, "--as", "successful", "--proof", "read out by phone, 10:42", ...more];
    const told = await afara([...args, "--json"], {}, input);
    return told.out.includes("A node is at work") ? undefined : told;
  });

/** The id of a purchase that the vendor calls delivered, and whose token never comes. */
async function deliveredWithoutToken(subscriber: Subscriber, place: ReturnType<typeof nextMeter>): Promise<string> {
  await rig.vendors.scenario("vtpass", "no_token_ever", { recipient: place.meter });
  const body = bodyFor(place, { notify: { channel: "sms" } });
  const { id } = purchaseIn(await buy(subscriber, PURCHASE, body, { prefer: "wait=2" }));
  await waitFor("delivered, without its token", async () => {
    const { body: now } = await subscriber.get<Purchase>(`/electricity/status/${id}`);
    return now.token_pending;
  });
  return id;
}

test("a token that the vendor read out to the operator reaches the customer as any other, and stands nowhere in clear", async () => {
  const place = nextMeter();
  const subscriber = await customer();
  const id = await deliveredWithoutToken(subscriber, place);
  const { rows: attempts } = await rig.db.query<{ reference: string }>(
    "select reference from attempts where order_id = $1",
    [decodeId("pur", id)],
  );
  const shown = await afara(["orders", "show", id]);
  assert.match(shown.out, /sent to vtpass-simulator\n +as (\w+)\n/);
  assert.ok(attempts[0] && shown.out.includes(`OUR REFERENCE\n1        vtpass-simulator  ${attempts[0].reference}\n`));
  assert.doesNotMatch(shown.out, /token_pending → token_pending|processing → processing/);
  assert.partialDeepStrictEqual((await afara(["orders", "show", id, "--json"])).json(), { attempts });

  const without = await resolve(id, []);
  assert.equal(without.code, 1);
  assert.match(
    without.json<{ detail: string }>().detail,
    /has no token for this purchase yet.*--token.*--without-token/,
  );
  const odd = await resolve(id, ["--token", "1234 5678"]);
  assert.equal(odd.code, 2);
  const twice = await resolve(id, ["--token", "1234 5678 9012 3456 7890", "--token", "12345678901234567890"]);
  assert.deepEqual([twice.code, /are the same/.test(twice.err)], [2, true]);
  const noCredit = await resolve(id, ["--token", "bonus:1234 5678 9012 3456 7890"]);
  assert.deepEqual(
    [noCredit.code, /None of the tokens is a credit token/.test(noCredit.out + noCredit.err)],
    [1, true],
  );

  const TOKEN = "1234 5678 9012 3456 7890";
  const KEY_CHANGE = "0987 6543 2109 8765 4321";
  const half = await resolve(id, ["--token", `kct1:${KEY_CHANGE}`, "--token", TOKEN]);
  assert.equal(half.code, 1);
  assert.match(half.json<{ detail: string }>().detail, /both or none.*Ask the vendor.*Nothing was changed/);
  const SECOND = "1111 2222 3333 4444 5555";
  const input = `kct1:${KEY_CHANGE}\nkct2:${SECOND}\n${TOKEN.replaceAll(" ", "-")}\n`;
  const done = await resolve(id, ["--token", "-"], input);
  assert.equal(done.code, 0, done.err + done.out);
  const purchase = await purchaseBecomes(subscriber, { id, object: "electricity" }, "successful");
  assert.deepEqual(purchase.tokens, [
    { kind: "kct1", value: KEY_CHANGE },
    { kind: "kct2", value: SECOND },
    { kind: "credit", value: TOKEN },
  ]);
  const [message] = await waitFor("the customer's message", async () => {
    const messages = await subscriber.handset(place.to);
    return messages.length > 0 ? messages : undefined;
  });
  assert.ok(message?.text.includes(TOKEN));
  const tables = ["orders", "events", "audit_log", "cases", "notices", "attempts"];
  for (const table of tables) {
    const { rows } = await rig.db.query<{ kept: string }>(`select to_jsonb(t)::text as kept from ${table} t`);
    for (const { kept } of rows)
      assert.doesNotMatch(kept.replaceAll(/[\s-]/g, ""), /12345678901234567890|09876543210987654321/);
  }
});

test("a meter that was credited without a token: the customer reads so, and there is nothing to send again", async () => {
  const place = nextMeter();
  const subscriber = await customer();
  const id = await deliveredWithoutToken(subscriber, place);
  const early = await subscriber.post<Problem>(`/electricity/resend/${id}`, { channel: "sms" });
  assert.deepEqual([early.status, early.body.order_status], [409, "processing"]);
  assert.match(early.body.detail, /is processing: only a successful one has tokens/);

  assert.equal((await resolve(id, ["--without-token"])).code, 0);
  const [message] = await waitFor("the customer's message", async () => {
    const messages = await subscriber.handset(place.to);
    return messages.length > 0 ? messages : undefined;
  });
  assert.match(message?.text ?? "", /credited without a token/);
  const resent = await subscriber.post<Problem>(`/electricity/resend/${id}`, { channel: "sms" });
  assert.deepEqual([resent.status, resent.body.code, resent.body.order_status], [409, "invalid_state", "successful"]);
  assert.match(resent.body.detail, /is successful and has no token: the meter was credited without one/);
});

test("a delivery after the money went back stands in the timeline, and its token is shown to nobody", async () => {
  const place = nextMeter();
  const subscriber = await customer();
  const before = await subscriber.wallet();
  await rig.vendors.scenario("vtpass", "failed_then_delivered", { recipient: place.meter });
  const failed = await buy(subscriber, PURCHASE, bodyFor(place));
  assert.deepEqual([failed.status, failed.body.code], [422, "purchase_failed"], JSON.stringify(failed.body));
  const { id } = purchaseIn(failed);
  const purchase = await waitFor("the vendor's late delivery", async () => {
    const { body } = await subscriber.get<Purchase>(`/electricity/status/${id}`);
    return body.timeline?.at(-1)?.detail?.includes("after its money had gone back") ? body : undefined;
  });
  assert.deepEqual([purchase.status, purchase.charge, purchase.tokens], ["failed", "returned", undefined]);
  assert.deepEqual(await subscriber.wallet(), before);
});

rig.provesItsLedger();
