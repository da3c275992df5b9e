import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeId, newUuid } from "../../src/kernel/ids.ts";
import { STRETCH_ORDERS } from "../../src/orders/listing.repo.ts";
import { makeTestKey } from "../../src/testing/account.ts";
import { sumUsageAgain } from "../../src/testing/past-the-engine.ts";
import { Receiver } from "../../src/testing/receiver.ts";
import { assertProblem, type Bulk, type Message, type Page, type Problem, phone, startRig } from "./rig.ts";

const rig = await startRig();
const purchases = { airtime: "free", electricity: "free", cable: "free" };
const owner = await rig.subscriber({ also: { chat: "growth", ...purchases } });
const stranger = await rig.subscriber();
const live = rig.as(await makeTestKey(rig.db, { secret: rig.secret, accountId: owner.accountId, mode: "live" }));

/** Seven messages: three single, three of a bulk, one refused by the network; all ended. */
const singles: Message[] = [];
for (let index = 0; index < 3; index += 1)
  singles.push(
    await owner.send({
      to: phone(index),
      message: `Single ${index}`,
      reference: `s-${index}`,
      metadata: { n: `${index}` },
    }),
  );
const between = new Date().toISOString();
const { body: bulk } = await owner.post<Bulk>("/sms/bulk", { to: [phone(0), phone(10), phone(11)], message: "Bulk" });
const refused = await owner.send({ to: "+2348000000003", message: "Refused" });
const ids = [...singles.map(({ id }) => id), ...bulk.messages.map(({ id }) => id), refused.id];
for (const id of ids) await owner.ended(id);

const list = async (query: string) => {
  const { status, body } = await owner.get<Page>(`/sms/messages${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const idsOf = (page: Page) => page.data.map(({ id }) => id);
const newestFirst = (some: readonly string[]) => ids.filter((id) => some.includes(id)).reverse();

test("the list has all of the account's messages, newest first, as the status shows them", async () => {
  const page = await list("");
  assert.deepEqual(idsOf(page), [...ids].reverse());
  assert.deepEqual([page.has_more, page.next_cursor], [false, undefined]);
  for (const message of page.data) {
    const { timeline, failure, parts, ...shown } = await owner.status(message.id);
    assert.deepEqual(message, shown);
    assert.ok(timeline.length > 1);
    assert.deepEqual([failure?.code, parts], [message.id === refused.id ? "dnd" : undefined, undefined]);
  }
});

for (const limit of [1, 2, 3, 7, 100]) {
  test(`pages of ${limit} show every message once, in the order of the whole list`, async () => {
    const seen: string[] = [];
    let query = `?limit=${limit}`;
    for (;;) {
      const page = await list(query);
      assert.ok(page.data.length <= limit);
      seen.push(...idsOf(page));
      assert.equal(page.has_more, page.next_cursor !== undefined);
      if (page.next_cursor === undefined) break;
      query = `?limit=${limit}&after=${page.next_cursor}`;
    }
    assert.deepEqual(seen, [...ids].reverse());
  });
}

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string }[];
}

test("a page is the same page while newer messages arrive", async () => {
  const subscriber = await rig.subscriber();
  const older = [];
  for (let index = 0; index < 4; index += 1) older.push((await subscriber.send({ to: phone(1), message: "x" })).id);
  const first = (await subscriber.get<Page>("/sms/messages?limit=2")).body;
  const newer = await subscriber.send({ to: phone(1), message: "x" });
  const second = (await subscriber.get<Page>(`/sms/messages?limit=2&after=${first.next_cursor}`)).body;
  assert.deepEqual([...idsOf(first), ...idsOf(second)], older.reverse());
  for (const id of [...older, newer.id]) await subscriber.ended(id);
});

const at = encodeURIComponent;
const FILTERS: readonly (readonly [filter: string, expected: readonly string[]])[] = [
  ["status=rejected", [refused.id]],
  ["status=queued", []],
  [`to=${at(phone(0))}`, [singles[0]!.id, bulk.messages[0]!.id]],
  [`to=${phone(0).replace("+234", "0")}`, [singles[0]!.id, bulk.messages[0]!.id]],
  [`bulk_id=${bulk.id}`, bulk.messages.map(({ id }) => id)],
  ["bulk_id=blk_01kb3v9q4ze1xb8m6t2r5y7w0n", []],
  ["reference=s-1", [singles[1]!.id]],
  ["reference=none", []],
  [`created_before=${at(between)}`, singles.map(({ id }) => id)],
  [`created_after=${at(between)}`, [...bulk.messages.map(({ id }) => id), refused.id]],
  [`created_after=${at(between)}&status=delivered&to=${at(phone(0))}`, [bulk.messages[0]!.id]],
];
for (const [filter, expected] of FILTERS) {
  test(`the list filtered by ${filter.replace(/=.*/, "")} (${expected.length} expected) shows exactly those`, async () => {
    assert.deepEqual(idsOf(await list(`?${filter}`)), newestFirst(expected));
  });
}

test("a cursor goes on with its own filters only; a damaged one is refused", async () => {
  const { next_cursor: cursor } = await list("?status=delivered&limit=1");
  assert.ok(cursor);
  assert.equal((await list(`?status=delivered&limit=5&after=${cursor}`)).data.length, 5);
  for (const query of [
    `?after=${cursor}`,
    `?status=sent&after=${cursor}`,
    "?after=abc",
    `?status=delivered&after=${cursor}x`,
  ]) {
    const answer = await owner.get<Problem>(`/sms/messages${query}`);
    assertProblem(answer);
    assert.deepEqual([answer.status, answer.body.code], [400, "invalid_cursor"], query);
  }
});

const AFTER = "#/components/parameters/After";
test("a cursor of one list is refused by every other list", async () => {
  const { next_cursor: cursor } = await list("?limit=1");
  const { paths } = (await owner.get<{ paths: Record<string, { get?: Operation }> }>("/openapi.json")).body;
  const lists = Object.keys(paths).filter((path) => paths[path]?.get?.parameters?.some(({ $ref }) => $ref === AFTER));
  assert.ok(lists.length > 5, lists.join(" "));
  const receiver = await Receiver.start();
  const { body: webhook } = await owner.post<{ id: string }>("/webhooks", { url: receiver.url });
  const codes = await Promise.all(
    lists.map(async (path) => {
      const at = path.replace("{webhook_id}", webhook.id);
      return [path, (await owner.get<Problem>(`${at}?after=${cursor}`)).body.code];
    }),
  );
  const expected = lists.map((path) => [path, path === "/sms/messages" ? undefined : "invalid_cursor"]);
  assert.deepEqual(codes, expected);
});

test("a sender's messages are found among 5,000 orders a page: an empty page says that there is more", async () => {
  const customer = await rig.subscriber();
  const first = await customer.send({ to: phone(1), message: "Long ago", from: "Afara" });
  await customer.ended(first.id);
  await rig.db.query(
    `insert into orders (account_id, id, mode, service, queue, state, priority, ambiguity, price_kobo, tax_kobo, recipient, payload,
                         created_at, updated_at, ended_at)
     select $1, uuidv7_now(), 'test', 'sms', 'sms:test', 'delivered', 0, 'fail', 0, 0, '2348031234567', '{"from": "Others"}',
            now(), now(), now() from generate_series(1, $2)`,
    [customer.accountId, STRETCH_ORDERS],
  );
  await sumUsageAgain(rig.db, customer.accountId);
  const page = async (query: string) => (await customer.get<Page>(`/sms/messages?from=Afara${query}`)).body;
  const empty = await page("");
  assert.deepEqual([empty.data, empty.has_more], [[], true]);
  const last = await page(`&after=${empty.next_cursor}`);
  assert.deepEqual([last.data.map(({ id }) => id), last.has_more], [[first.id], false]);
  const later = encodeURIComponent(new Date(Date.parse(first.created_at) + 60_000).toISOString());
  assert.equal((await page(`&created_after=${later}`)).has_more, false);
  const narrow = await page(`&to=${encodeURIComponent(phone(1))}`);
  assert.deepEqual([narrow.data.map(({ id }) => id), narrow.has_more], [[first.id], false]);
});

const WRONG_QUERIES: readonly (readonly [query: string, parameter: string, status: number])[] = [
  ["limit=0", "limit", 400],
  ["limit=101", "limit", 400],
  ["limit=ten", "limit", 400],
  ["status=gone", "status", 400],
  ["created_after=yesterday", "created_after", 400],
  ["state=sent", "state", 400],
  ["to=0803", "to", 422],
];
for (const [query, parameter, status] of WRONG_QUERIES) {
  test(`a list asked for with ${query} is refused with ${status} that names ${parameter}`, async () => {
    const answer = await owner.get<Problem>(`/sms/messages?${query}`);
    assertProblem(answer);
    assert.equal(answer.status, status);
    assert.equal(answer.body.errors?.[0]?.parameter, parameter);
  });
}

const absent = { msg: encodeId("msg", newUuid()), blk: encodeId("blk", newUuid()) };
const READS: readonly (readonly [method: "get" | "post", path: (id: { msg: string; blk: string }) => string])[] = [
  ["get", ({ msg }) => `/sms/status/${msg}`],
  ["post", ({ msg }) => `/sms/cancel/${msg}`],
  ["get", ({ blk }) => `/sms/bulk/${blk}`],
  ["post", ({ blk }) => `/sms/bulk/${blk}/cancel`],
];
for (const [method, path] of READS) {
  test(`${method.toUpperCase()} ${path({ msg: "{id}", blk: "{id}" })} answers another account, and the other mode, as if it did not exist`, async () => {
    const own = { msg: singles[0]!.id, blk: bulk.id };
    const reference = await owner[method]<Problem>(path(absent));
    assertProblem(reference);
    assert.deepEqual([reference.status, reference.body.code], [404, "not_found"]);
    for (const other of [stranger, live]) {
      const answer = await other[method]<Problem>(path(own));
      assertProblem(answer);
      const { request_id: _, ...body } = answer.body;
      const { request_id: __, ...expected } = reference.body;
      assert.deepEqual(body, expected);
    }
  });
}

test("ids of the wrong kind or form are not found, never an error", async () => {
  for (const id of [
    "msg_1",
    bulk.id,
    "x",
    "%00",
    "msg_zzzzzzzzzzzzzzzzzzzzzzzzzz",
    "..%2f..",
    singles[0]!.id.toUpperCase(),
  ]) {
    const answer = await owner.get<Problem>(`/sms/status/${id}`);
    assertProblem(answer);
    assert.ok([400, 404].includes(answer.status), `${id} → ${answer.status}`);
  }
});

test("another account's messages, wallet and handset are not shown, nor those of test mode to a live key", async () => {
  for (const other of [stranger, live]) assert.deepEqual((await other.get<Page>("/sms/messages")).body.data, []);
  assert.deepEqual(await stranger.handset(phone(0)), []);
  assert.ok((await owner.handset(phone(0))).length > 0);
  const answer = await live.get<Problem>(`/test/handsets/${at(phone(0))}`);
  assertProblem(answer);
  assert.deepEqual([answer.status, answer.body.code], [403, "test_mode_only"]);
});

test("a live key can't send to a magic number, and has no test money", async () => {
  const magic = await live.refused({ to: "+2348000000001", message: "x" });
  assert.equal(magic.code, "destination_not_supported");
  assert.equal((await live.wallet()).balance, 0n);
});

rig.provesItsLedger();
