import assert from "node:assert/strict";
import { test } from "node:test";
import { giveInboundNumber, releaseInboundNumber } from "../../src/accounts/inbound-numbers.repo.ts";
import { newUuid, type Uuid } from "../../src/kernel/ids.ts";
import type { Mode } from "../../src/kernel/mode.ts";
import { recordInbound } from "../../src/sms/inbound.repo.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { assertProblem, type Problem, phone, type Subscriber, startRig } from "./rig.ts";

const rig = await startRig();
const { db, local, smsc } = rig;
const operator = { kind: "operator", name: "ops" } as const;

interface Received {
  readonly id: string;
  readonly object: string;
  readonly direction: string;
  readonly mode: Mode;
  readonly from: string;
  readonly to: string;
  readonly message: string;
  readonly understood_as?: string;
  readonly part?: { readonly index: number; readonly count: number; readonly reference: number };
  readonly received_at: string;
}
interface Page {
  readonly data: readonly Received[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

async function inbound(of: Subscriber, query = ""): Promise<Page> {
  const { status, body } = await of.get<Page>(`/sms/messages?direction=inbound${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const received = (of: Subscriber, from: string, count = 1) =>
  waitFor(`${count} from ${from}`, async () => {
    const { data } = await inbound(of, `&from=${encodeURIComponent(from)}`);
    return data.length >= count ? data : undefined;
  });

/** As an adapter brings it. */
let written = 0;
const write = (mode: Mode, from: string, to: string, text: string, at = new Date()) =>
  recordInbound(
    db,
    "smpp",
    mode,
    newUuid(),
    { providerReference: `list ${++written}`, from, to, text, at },
    rig.erasedName,
  );

test("what a handset writes is listed with both ends, its words and what it was understood as", async () => {
  const from = phone(0);
  const { body } = await local.post<{ to: string }>(`/test/handsets/${encodeURIComponent(from)}/messages`, {
    channel: "sms",
    message: "Please STOP",
  });
  const [message] = await received(local, from);
  assert.match(message!.id, /^msg_/);
  assert.ok(Math.abs(Date.parse(message!.received_at) - Date.now()) < 60_000);
  assert.deepEqual(
    { ...message, id: "", received_at: "" },
    {
      id: "",
      object: "sms",
      direction: "inbound",
      mode: "test",
      from,
      to: body.to,
      message: "Please STOP",
      understood_as: "stop",
      received_at: "",
    },
  );
});

for (const [index, [text, understood]] of (
  [
    ["START", "start"],
    ["Please stop by at noon", undefined],
    ["Ẹ káàárọ̀, mo fẹ́ mọ̀ bóyá ọjà mi ti dé. ".repeat(5).trim().normalize("NFC"), undefined],
    ["👍🏿 شكرا 谢谢", undefined],
    ["x".repeat(700), undefined],
  ] as const
).entries()) {
  test(`${JSON.stringify(text.slice(0, 24))} is listed once, whole, in its own script`, async () => {
    const from = phone(10 + index);
    await local.post(`/test/handsets/${encodeURIComponent(from)}/messages`, { channel: "sms", message: text });
    const [message, ...more] = await received(local, from);
    assert.deepEqual(more, []);
    assert.deepEqual([message!.message, message!.understood_as, message!.part], [text, understood, undefined]);
  });
}

test("U+0000 and half a surrogate pair in what a handset writes come as U+FFFD, and the rest is whole", async () => {
  const from = phone(20);
  const { to } = (
    await local.post<{ to: string }>(`/test/handsets/${encodeURIComponent(from)}/messages`, {
      channel: "sms",
      message: "first",
    })
  ).body;
  const octets = Buffer.from("a\0b\ud83dc", "utf16le").swap16().toString("hex");
  await smsc.deliver({ source: from.slice(1), destination: to, message: octets, dataCoding: 8 });
  const [message] = await received(local, from, 2);
  assert.equal(message!.message, "a\ufffdb\ufffdc");
});

test("a part that was recorded without its others says which it is", async () => {
  const subscriber = await rig.subscriber();
  await giveInboundNumber(db, { number: "20020", mode: "test", accountId: subscriber.accountId }, operator);
  for (const part of [1, 2])
    await recordInbound(
      db,
      "smpp",
      "test",
      newUuid(),
      {
        providerReference: `part ${part}`,
        from: phone(25).slice(1),
        to: "20020",
        text: `half ${part}`,
        at: new Date(Date.now() + part),
        facts: { parts: 2, part, reference: 77, reference_bits: 8 },
      },
      rig.erasedName,
    );
  assert.deepEqual(
    (await inbound(subscriber)).data.map(({ message, part }) => [message, part]),
    [
      ["half 2", { index: 2, count: 2, reference: 77 }],
      ["half 1", { index: 1, count: 2, reference: 77 }],
    ],
  );
});

test("outbound is the default, each direction lists its own, and every message says which it is", async () => {
  const subscriber = await rig.subscriber();
  await giveInboundNumber(db, { number: "20021", mode: "test", accountId: subscriber.accountId }, operator);
  await write("test", phone(30).slice(1), "20021", "Hello?");
  const sent = await subscriber.send({ to: phone(30), message: "Yes" });
  const listed = async (query: string) =>
    (await subscriber.get<Page>(`/sms/messages${query}`)).body.data.map(({ direction, message }) => [
      direction,
      message,
    ]);
  assert.deepEqual(await listed(""), [["outbound", "Yes"]]);
  assert.deepEqual(await listed("?direction=outbound"), [["outbound", "Yes"]]);
  assert.deepEqual(await listed("?direction=inbound"), [["inbound", "Hello?"]]);
  assert.equal((await subscriber.status(sent.id)).id, sent.id);
});

test("a number's messages stay with the account that had it when they came", async () => {
  const [before, after] = [await rig.subscriber(), await rig.subscriber()];
  const from = phone(40).slice(1);
  await write("test", from, "20022", "to nobody");
  await giveInboundNumber(db, { number: "20022", mode: "test", accountId: before.accountId }, operator);
  await write("test", from, "20022", "to the first");
  await releaseInboundNumber(db, "20022", "test", operator);
  await giveInboundNumber(db, { number: "20022", mode: "test", accountId: after.accountId }, operator);
  await write("test", from, "20022", "to the second");
  const words = async (of: Subscriber) => (await inbound(of)).data.map(({ message }) => message);
  assert.deepEqual(await words(before), ["to the first"]);
  assert.deepEqual(await words(after), ["to the second"]);
});

test("a test key sees what came in test mode only", async () => {
  const subscriber = await rig.subscriber();
  await giveInboundNumber(db, { number: "20023", mode: "live", accountId: subscriber.accountId }, operator);
  await giveInboundNumber(db, { number: "20023", mode: "test", accountId: subscriber.accountId }, operator);
  await write("live", phone(41).slice(1), "20023", "live");
  await write("test", phone(41).slice(1), "20023", "test");
  assert.deepEqual(
    (await inbound(subscriber)).data.map(({ mode, message }) => [mode, message]),
    [["test", "test"]],
  );
});

test("pages go from the newest to the oldest by received_at, without a gap or a repeat, also within one millisecond", async () => {
  const subscriber = await rig.subscriber();
  await giveInboundNumber(db, { number: "20024", mode: "test", accountId: subscriber.accountId }, operator);
  const base = Date.parse("2026-11-27T09:00:00.000Z");
  const seconds = [3, 1, 2, 2, 2, 0, 4];
  for (const [index, second] of seconds.entries())
    await write("test", phone(50).slice(1), "20024", `${second}/${index}`, new Date(base + second * 1_000));
  const seen: string[] = [];
  let after = "";
  do {
    const page = await inbound(subscriber, `&limit=2${after}`);
    seen.push(...page.data.map(({ message }) => message));
    after = page.next_cursor === undefined ? "" : `&after=${page.next_cursor}`;
    assert.equal(page.has_more, page.next_cursor !== undefined);
  } while (after !== "");
  assert.deepEqual(
    seen.map((text) => Number(text.split("/")[0])),
    [4, 3, 2, 2, 2, 1, 0],
  );
  assert.equal(new Set(seen).size, seconds.length);
  const { next_cursor: cursor } = await inbound(subscriber, "&limit=2");
  const wrong = await subscriber.get<Problem>(`/sms/messages?limit=2&after=${cursor}`);
  assertProblem(wrong);
  assert.equal(wrong.body.code, "invalid_cursor", "a cursor of the other direction is none here");
});

test("from, to and times narrow the inbound list, whatever form a number has", async () => {
  const subscriber = await rig.subscriber();
  for (const number of ["20025", "2348099990077"])
    await giveInboundNumber(db, { number, mode: "test", accountId: subscriber.accountId }, operator);
  const [one, other] = [phone(60), phone(61)];
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 9, minute));
  await write("test", one.slice(1), "20025", "a", at(1));
  await write("test", `0${other.slice(4)}`, "08099990077", "b", at(2));
  await write("test", "Ikoyi Foods", "20025", "c", at(3));
  const words = async (query: string) => (await inbound(subscriber, query)).data.map(({ message }) => message);
  for (const form of [one, `0${one.slice(4)}`, one.slice(1)])
    assert.deepEqual(await words(`&from=${encodeURIComponent(form)}`), ["a"], form);
  for (const form of ["+2348099990077", "08099990077", "0809 999 0077"])
    assert.deepEqual(await words(`&to=${encodeURIComponent(form)}`), ["b"], form);
  assert.deepEqual(await words("&to=20025"), ["c", "a"]);
  assert.deepEqual(await words("&from=ikoyi%20foods"), ["c"]);
  assert.deepEqual(await words(`&from=${encodeURIComponent(one)}&to=2348099990077`), []);
  assert.deepEqual(await words(`&created_after=${at(2).toISOString()}`), ["c", "b"], "from that time on");
  assert.deepEqual(await words(`&created_before=${at(2).toISOString()}`), ["a"], "before that time");
  const [b] = (await inbound(subscriber, "&to=08099990077")).data;
  assert.deepEqual([b!.from, b!.to], [other, "+2348099990077"]);
});

test("from narrows the outbound list, whatever form the sender has", async () => {
  const subscriber = await rig.subscriber();
  await subscriber.send({ to: phone(70), message: "one", from: "Shop One" });
  await subscriber.send({ to: phone(70), message: "two", from: "+2348099990078" });
  const words = async (from: string) =>
    (await subscriber.get<Page>(`/sms/messages?from=${encodeURIComponent(from)}`)).body.data.map(
      ({ message }) => message,
    );
  assert.deepEqual(await words("shop one"), ["one"]);
  assert.deepEqual(await words("08099990078"), ["two"]);
  assert.deepEqual(await words("Shop"), []);
});

test("filters that no inbound message can fit are refused by name, all at once", async () => {
  const queries = {
    "status=delivered": ["status"],
    "bulk_id=blk_01kb3v9q4ze1xb8m6t2r5y7w0n": ["bulk_id"],
    "reference=order-1": ["reference"],
    "status=sent&reference=x&bulk_id=blk_01kb3v9q4ze1xb8m6t2r5y7w0n": ["bulk_id", "reference", "status"],
  };
  for (const [query, names] of Object.entries(queries)) {
    const answer = await local.get<Problem>(`/sms/messages?direction=inbound&${query}`);
    assertProblem(answer);
    assert.deepEqual([answer.status, answer.body.code], [400, "validation_failed"], query);
    assert.deepEqual(answer.body.errors?.map(({ parameter }) => parameter).sort(), names);
  }
  const answer = await local.get<Problem>("/sms/messages?direction=both");
  assertProblem(answer);
  assert.match(answer.body.detail, /`direction` must be one of: "outbound", "inbound"/);
});

test("a status of what was written to the account is a 404 that names the list, and of another account's as of none", async () => {
  const subscriber = await rig.subscriber();
  await giveInboundNumber(db, { number: "20026", mode: "test", accountId: subscriber.accountId }, operator);
  await write("test", phone(80).slice(1), "20026", "Hello");
  const [{ id }] = (await inbound(subscriber)).data as [Received];
  const own = await subscriber.get<Problem>(`/sms/status/${id}`);
  assertProblem(own);
  assert.deepEqual([own.status, own.body.code], [404, "not_found"]);
  assert.match(own.body.detail, /direction=inbound/);
  const cancelled = await subscriber.post<Problem>(`/sms/cancel/${id}`);
  assertProblem(cancelled);
  assert.match(cancelled.body.detail, /direction=inbound/);
  const stranger = await rig.subscriber();
  const [theirs, none] = [
    await stranger.get<Problem>(`/sms/status/${id}`),
    await stranger.get<Problem>("/sms/status/msg_01kb3v9q4ze1xb8m6t2r5y7w0n"),
  ];
  assert.deepEqual([theirs.status, theirs.body.detail], [none.status, none.body.detail]);
});

test("the list reads its page from an index, of all messages and of one person's", async () => {
  const accountId = newUuid() as Uuid;
  await db.query(
    `insert into inbound_messages (id, provider, provider_reference, mode, account_id, sender, recipient, body, received_at)
     select uuidv7_now(), 'plan', n::text, 'live', case when n % 2 = 0 then $1 else uuidv7_now() end, '23480310' || (10000 + n % 997), '20027', 'x',
            now() - n * interval '1 second' from generate_series(1, 20000) n`,
    [accountId],
  );
  await db.query("analyze inbound_messages");
  const planOf = async (more: string) =>
    (
      await db.query<{ "QUERY PLAN": string }>(
        `explain select id from inbound_messages where account_id = '${accountId}' and mode = 'live'${more}
          order by received_at desc, id desc limit 26`,
      )
    ).rows
      .map((row) => row["QUERY PLAN"])
      .join("\n");
  assert.match(await planOf(""), /Index (Only )?Scan Backward using inbound_messages_listed/);
  assert.match(
    await planOf(" and sender = '2348031010001'"),
    /Index (Only )?Scan Backward using inbound_messages_by_sender/,
  );
});

rig.provesItsLedger();
