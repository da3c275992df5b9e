import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assignInboundNumber } from "../../src/accounts/inbound-numbers.repo.ts";
import { SERVICES } from "../../src/app/services.ts";
import { forgetMeterData } from "../../src/electricity/forget.ts";
import { DAY_MS } from "../../src/kernel/duration.ts";
import { encodeId } from "../../src/kernel/ids.ts";
import { forgetOld } from "../../src/orders/nodes.repo.ts";
import { keepDays } from "../../src/request-log/requests.repo.ts";
import { makePurge } from "../../src/retention/purge.ts";
import { DEFAULT_RETENTION } from "../../src/retention/retention.settings.ts";
import { makeCli } from "../../src/testing/cli.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { rowsWith, wholeCopy } from "../../src/testing/whole-copy.ts";
import { type ChatMessage, chat, chatReached, handsetWrites, received } from "./chats.ts";
import { buy, type Purchase, purchaseBecomes, purchaseIn } from "./purchases.ts";
import { type Bulk, type BulkSummary, type Message, type Problem, phone, startRig } from "./rig.ts";

/** What is left of people when the days of `retention` are over. */
const rig = await startRig();
const { db } = rig;
const PURGED = "+2340000000000";
const METER = "13007654321";
const WORD = "Canarywort";

const who = await rig.subscriber({
  balance: "10000.00",
  also: { electricity: "scale", airtime: "scale", chat: "scale" },
});
const people = [phone(1), phone(2), phone(3), phone(4), phone(5)] as const;
const [byText, byBulk, byChat, byMeter, byAirtime] = people;
await assignInboundNumber(db, who.accountId, "20035", "test");

const bodies = {
  sms: { to: byText, message: `${WORD} for a text`, reference: "text-1", metadata: { name: `${WORD} metadata` } },
  bulk: {
    messages: [
      { to: byBulk, message: `${WORD} in a bulk`, reference: "item-1" },
      { to: "12", message: WORD },
    ],
  },
};

const purgedAfter = (days: number, more: Partial<Parameters<typeof makePurge>[0]> = {}) =>
  makePurge({
    db,
    clock: { now: () => new Date(Date.now() + days * DAY_MS), monotonicMs: () => performance.now() },
    services: new Map(SERVICES.map((service) => [service.service, service])),
    retention: DEFAULT_RETENTION,
    isClockRight: () => true,
    ...more,
  })();

/** No backup has the request log, so it is looked at by itself. */
async function isInRequestLog(text: string): Promise<boolean> {
  const { rows } = await db.query(
    "select from request_log where strpos(concat_ws(' ', path, headers, request_body, answer_body), $1) > 0 limit 1",
    [text],
  );
  return rows.length > 0;
}

let text: Message;
let bulk: Bulk;
let message: ChatMessage;
let airtime: Purchase;
let power: Purchase;
let token: string;

test("before its days are over, nothing of an order is purged", async () => {
  text = await who.ended((await who.send(bodies.sms)).id);
  const sent = await who.post<Bulk>("/sms/bulk", bodies.bulk);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  bulk = sent.body;
  await who.ended(bulk.messages[0]!.id);
  await who.post(`/test/handsets/${encodeURIComponent(byText)}/messages`, {
    channel: "sms",
    message: `${WORD} by SMS`,
  });
  await waitFor("what the handset wrote", async () => {
    const { rows } = await db.query("select from inbound_messages where body like $1", [`${WORD}%`]);
    return rows.length > 0;
  });
  await handsetWrites(who, byChat, `${WORD} from a handset`);
  message = await chat(who, "text", { to: byChat, message: `${WORD} by chat` });
  message = await chatReached(who, message.id, "read");
  airtime = purchaseIn(await buy(who, "/airtime/topup", { to: byAirtime, amount: 100, reference: "air-1" }));
  await purchaseBecomes(who, airtime, "successful");
  power = purchaseIn(
    await buy(who, "/electricity/purchase", {
      meter_number: METER,
      disco: "ikeja-electric",
      amount: 2_000,
      to: byMeter,
      notify: { channel: "sms" },
    }),
  );
  power = await purchaseBecomes(who, power, "successful");
  token = power.tokens?.[0]?.value ?? "";
  assert.ok(token.length >= 20);
  await waitFor("the notice has ended", async () => {
    const { body } = await who.get<Purchase>(`/electricity/status/${power.id}`);
    return body.notify?.message_id !== undefined && (await who.ended(body.notify.message_id));
  });
  await purgedAfter(DEFAULT_RETENTION.texts - 2);
  assert.equal((await who.status(text.id)).message, bodies.sms.message);
  assert.equal((await received(who, byChat))[0]?.message, `${WORD} from a handset`);
});

test("a text goes after its days, and the number stays until its own are over", async () => {
  await purgedAfter(DEFAULT_RETENTION.texts + 2);
  const now = await who.status(text.id);
  assert.deepEqual([now.message, now.to, now.status], ["", byText, "delivered"]);
  assert.deepEqual(await received(who, byChat), [], "what people wrote is deleted");
  const { body } = await who.get<Purchase>(`/electricity/status/${power.id}`);
  assert.equal(body.tokens?.[0]?.value, token, "tokens have days of their own");
});

test("an order that has not ended keeps all, and is purged once it has", async () => {
  const sendAt = new Date(Date.now() + 20 * DAY_MS).toISOString();
  const later = await who.send({ to: phone(9), message: "Later", send_at: sendAt });
  await purgedAfter(DEFAULT_RETENTION.numbers + 2);
  assert.deepEqual([(await who.status(later.id)).to, (await who.status(later.id)).message], [phone(9), "Later"]);
  const cancelled = await rig.gateway.call("POST", `/sms/cancel/${later.id}`, {}, { "x-api-key": who.key });
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  await purgedAfter(2 * DEFAULT_RETENTION.numbers + 4);
  const now = await who.status(later.id);
  assert.deepEqual([now.to, now.message, now.status], [PURGED, "", "cancelled"]);
});

test("when all days are over, no number, text or token is left in any row", async () => {
  const after = DEFAULT_RETENTION.numbers + 2;
  await purgedAfter(after);
  // These go by the database's own clock.
  await db.query("update provider_references set created_at = now() - interval '31 days'");
  await db.query("update twins set at = now() - interval '2 hours'");
  await forgetOld(db);
  await forgetMeterData(db, new Date(Date.now() + after * DAY_MS));
  const digits = people.map((number) => number.slice(4));
  const traces = [WORD, token, token.replaceAll(" ", ""), METER, ...digits, power.customer?.name ?? "no name"];
  const { rows } = await db.query<{ sealed: bigint }>(
    "select count(*) as sealed from orders where facts ? 'sealed_tokens' or payload ? 'sealed_text'",
  );
  assert.equal(rows[0]?.sealed, 0n, "sealed texts would be readable with the secret");
  const left = rowsWith(await wholeCopy(rig.connection), traces);
  assert.deepEqual(left, []);
  assert.ok(await isInRequestLog(WORD), "requests have days of their own");
  await keepDays(db, new Date(Date.now() + 8 * DAY_MS));
  for (const trace of traces) assert.ok(!(await isInRequestLog(trace)), trace);
});

test("of purged orders the states, amounts, lists and receipts are still answered", async () => {
  const now = await who.status(text.id);
  assert.partialDeepStrictEqual(now, { status: "delivered", to: PURGED, message: "", reference: "text-1" });
  assert.deepEqual([now.price, now.metadata], [text.price, undefined]);
  const chatted = await who.get<ChatMessage>(`/chat/status/${message.id}`);
  assert.partialDeepStrictEqual(chatted.body, { status: "read", to: PURGED, message: "" });
  const bought = await who.get<Purchase>(`/electricity/status/${power.id}`);
  assert.partialDeepStrictEqual(bought.body, {
    status: "successful",
    to: PURGED,
    amount: power.amount,
    price: power.price,
  });
  for (const id of [power.id, airtime.id]) {
    const service = id === power.id ? "electricity" : "airtime";
    for (const accept of ["application/json", "text/html", "application/pdf"]) {
      const receipt = await fetch(`${rig.gateway.base}/${service}/receipt/${id}`, {
        headers: { "x-api-key": who.key, accept },
      });
      assert.equal(receipt.status, 200, `${accept} of ${service}`);
      await receipt.arrayBuffer();
    }
  }
  for (const path of [
    "/sms/messages",
    `/sms/messages?to=${encodeURIComponent(byText)}`,
    "/chat/messages?direction=outbound",
    "/chat/messages?direction=inbound",
    `/electricity/purchases?reference=none`,
    "/airtime/purchases",
    `/sms/bulk/${bulk.id}`,
    "/wallet/statement",
    "/usage",
  ]) {
    const answer = await who.get(path);
    assert.ok(answer.status < 500, `${path}: ${JSON.stringify(answer.body)}`);
  }
  const summary = await who.get<BulkSummary>(`/sms/bulk/${bulk.id}`);
  assert.equal(summary.body.counts.delivered, 1);
});

test("tokens that are purged are not sent again, and a used reference stays used", async () => {
  const again = await who.post<Problem>(`/electricity/resend/${power.id}`, { channel: "sms" });
  assert.deepEqual([again.status, again.body.code], [409, "invalid_state"], JSON.stringify(again.body));
  assert.match(again.body.detail, /no longer kept/);
  const refused = await who.refused(bodies.sms);
  assert.deepEqual([refused.status, refused.code, refused.order_id], [409, "reference_already_used", text.id]);
});

test("a purge that ends in the middle goes on where it was", async () => {
  const more = await rig.subscriber({ balance: "1000.00" });
  const sent = await Promise.all(
    Array.from({ length: 6 }, (_, index) => more.send({ to: phone(20 + index), message: `Cut off ${index}` })),
  );
  for (const { id } of sent) await more.ended(id);
  const left = async () => {
    const { rows } = await db.query<{ n: bigint }>(
      "select count(*) as n from orders where payload->>'text' like 'Cut off%'",
    );
    return Number(rows[0]!.n);
  };
  const days = 3 * DEFAULT_RETENTION.numbers;
  let slices = 0;
  const ending: typeof db = {
    ...db,
    transaction: (act) =>
      db.transaction(async (tx) => {
        const done = await act(tx);
        slices += 1;
        if (slices % 7 === 0) throw new Error("the node ends before it commits");
        return done;
      }),
  };
  await assert.rejects(purgedAfter(days, { db: ending, sliceRows: 1 }), /before it commits/);
  let seen = await left();
  assert.ok(seen > 0, "the slice that was not committed is still to be done");
  for (let runs = 0; seen > 0 && runs < 100; runs += 1) {
    await purgedAfter(days, { slicesMax: 1, sliceRows: 2 });
    const now = await left();
    assert.ok(now <= seen && seen - now <= 2, "a run takes no more than its slice");
    seen = now;
  }
  assert.equal(seen, 0);
});

const afara = makeCli(rig.environment);

/** Somebody who was written to, wrote back, said STOP and bought. */
async function somebody(number: string) {
  const one = await rig.subscriber({ balance: "10000.00", also: { electricity: "scale", chat: "scale" } });
  await assignInboundNumber(db, one.accountId, `2${number.slice(-6)}`, "test");
  const sent = await one.send({ to: number, message: "Hello", metadata: { name: "Ada" } });
  await one.ended(sent.id);
  await handsetWrites(one, number, "I wrote this");
  const path = `/test/handsets/${encodeURIComponent(number)}/messages`;
  const says = (message: string) => one.post(path, { channel: "sms", message });
  const listed = async () =>
    (await one.get<{ data: readonly object[] }>(`/sms/suppressions?phone=${encodeURIComponent(number)}`)).body.data;
  const isOut = async () => (await listed()).length > 0;
  await says("STOP");
  await waitFor("the opt-out", isOut);
  const { reference } = bodies.sms;
  await one.refused({ to: "12", message: "Hello", reference });
  await one.refused({ to: "13", message: "Hello" }, { "idempotency-key": `pay-0${number.slice(4)}-2` });
  await waitFor("the requests in their log", async () => {
    const { rows } = await db.query("select from request_log where account_id = $1 and status = 422", [one.accountId]);
    return rows.length > 1;
  });
  return { one, sent, says, isOut };
}
const erased = (number: string, ...more: string[]) => afara(["data", "erase", "--phone", number, "--json", ...more]);
const rowsOf = async (number: string) => rowsWith(await wholeCopy(rig.connection), [number.slice(1)]);

test("an erasure leaves no row with the number, and its opt-out stays in effect until the person says START", async () => {
  const number = phone(40);
  const { one, sent, says, isOut } = await somebody(number);
  const counted = await erased(number);
  assert.deepEqual([counted.code, counted.json().erased], [0, false]);
  assert.ok((await rowsOf(number)).length > 3, "a dry run erases nothing");
  assert.ok(await isInRequestLog(number.slice(4)));
  const done = await erased(number, "--yes");
  assert.equal(done.code, 0, done.err);
  assert.deepEqual(done.json(), { ...counted.json(), erased: true });
  const isKept = (row: string) => !/^(?:provider_references|attempts|twins): /.test(row);
  assert.deepEqual((await rowsOf(number)).filter(isKept), []);
  assert.ok(!(await isInRequestLog(number.slice(4))));
  assert.equal((await one.status(sent.id)).to, PURGED);
  const refused = await one.refused({ to: number, message: "Sale!", route: "promotional" });
  assert.equal(refused.code, "recipient_opted_out");
  const { body } = await one.get<{ data: readonly { phone?: string; source: string }[] }>(
    `/sms/suppressions?phone=${encodeURIComponent(number)}`,
  );
  assert.deepEqual(
    body.data.map(({ phone: shown, source }) => [shown, source]),
    [[undefined, "recipient"]],
  );
  await says("START");
  await waitFor("the end of the opt-out", async () => !(await isOut()));
  await one.send({ to: number, message: "Sale!", route: "promotional" });
  const log = await afara(["audit", "list", "--limit", "5", "--json"]);
  const [entry] = log.json<{ entries: { action: string; subject: string }[] }>().entries;
  assert.equal(entry?.action, "personal_data.erase");
  assert.match(entry?.subject ?? "", /^erased:/);
});

test("an open order is left whole by an erasure, which takes it when it has ended", async () => {
  const number = phone(41);
  const sendAt = new Date(Date.now() + 20 * DAY_MS).toISOString();
  const later = await who.send({ to: number, message: "Later", send_at: sendAt });
  const done = await erased(number, "--yes");
  assert.deepEqual([done.json().orders, done.json().later], [0, 1], done.out);
  await purgedAfter(1);
  assert.equal((await who.status(later.id)).to, number);
  await rig.gateway.call("POST", `/sms/cancel/${later.id}`, {}, { "x-api-key": who.key });
  await purgedAfter(2);
  assert.deepEqual([(await who.status(later.id)).to, (await who.status(later.id)).message], [PURGED, ""]);
});

test("a purchase is compared with its vendor's books before an erasure takes its number", async () => {
  const number = phone(44);
  const topup = { to: number, amount: 100 };
  const bought = purchaseIn(await buy(who, "/airtime/topup", topup));
  await purchaseBecomes(who, bought, "successful");
  const counted = (await erased(number)).json();
  const done = (await erased(number, "--yes")).json();
  assert.deepEqual([counted.orders, counted.later, done.orders, done.later], [0, 1, 0, 1]);
  const to = async () => (await who.get<Purchase>(`/airtime/status/${bought.id}`)).body.to;
  await purgedAfter(1);
  assert.equal(await to(), number);
  await purgedAfter(7);
  assert.equal(await to(), PURGED);
});

test("an erasure in one account or mode leaves the others", async () => {
  const number = phone(42);
  const { one } = await somebody(number);
  const mine = await who.send({ to: number, message: "Of another account" });
  await who.ended(mine.id);
  assert.deepEqual((await erased(number, "--mode", "live")).json().orders, 0);
  const account = encodeId("acc", one.accountId);
  assert.equal((await erased(number, "--account", account, "--yes")).code, 0);
  assert.equal((await who.status(mine.id)).to, number);
  assert.equal((await erased(number, "--account", "acc_01kb3v9q4ze1xb8m6t2r5y7w0n", "--yes")).code, 1);
});

test("an export has every row about the number, and no sealed secret", async () => {
  const number = phone(43);
  await somebody(number);
  const file = join(rig.environment.AFARA_DATA_DIR!, "person.jsonl");
  const written = await afara(["data", "export", "--phone", number, "--out", file, "--json"]);
  assert.equal(written.code, 0, written.err);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const tables = new Set(lines.map((line) => (JSON.parse(line) as { table: string }).table));
  for (const table of [
    "orders",
    "events",
    "inbound_messages",
    "chat_inbound",
    "chat_windows",
    "suppressions",
    "request_log",
  ])
    assert.ok(tables.has(table), table);
  assert.ok(!lines.some((line) => line.includes("sealed_")));
  assert.equal((await afara(["data", "export", "--phone", number, "--out", file])).code, 2, "no file is overwritten");
});

rig.provesItsLedger();
