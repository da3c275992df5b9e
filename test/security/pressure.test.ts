import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { waitFor } from "../../src/testing/wait-for.ts";
import { phone, type Subscriber, startRig } from "../e2e/rig.ts";

const rig = await startRig();

const RECIPIENTS = 300;

/** Some 190 kB, for other numbers each. `send_at`: nothing of it leaves while the test runs. */
const bulkBody = (bulk: number): string =>
  JSON.stringify({
    messages: Array.from({ length: RECIPIENTS }, (_, index) => ({
      to: phone(bulk * RECIPIENTS + index),
      message: `${index} ${"Dear customer, your order is ready at our branch. ".repeat(12)}`,
    })),
    send_at: new Date(Date.now() + 3_600_000).toISOString(),
  });

interface Posted {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** On a connection of its own. `hangUp`: it is ended once the body has been written. */
function post({ key }: Subscriber, body: string, hangUp = false): Promise<Posted | undefined> {
  return new Promise((resolve) => {
    const headers = { "x-api-key": key, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(`${rig.gateway.base}/sms/bulk`, { method: "POST", agent: false, headers });
    sent.on("response", (answer) => {
      answer.resume();
      const retryAfter = answer.headers["retry-after"];
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, retryAfter }));
    });
    sent.on("error", () => resolve(undefined));
    sent.end(body, () => {
      if (hangUp) sent.destroy();
    });
  });
}

const bulksOf = async (accountId: string): Promise<number> =>
  Number(
    (await rig.db.query<{ count: bigint }>("select count(*) from order_groups where account_id = $1", [accountId]))
      .rows[0]!.count,
  );

test("while one subscriber sends 20 bulks at once a bystander's messages are accepted, and each bulk is accepted or refused", async () => {
  const [busy, bystander] = [await rig.subscriber({ plan: "growth", balance: "1000000.00" }), rig.local];
  const bodies = Array.from({ length: 20 }, (_, bulk) => bulkBody(bulk));
  let answered = 0;
  const bulks = bodies.map(async (body) => {
    const answer = await post(busy, body);
    answered += 1;
    return answer;
  });
  let sent = 0;
  while (answered < bodies.length) {
    await bystander.send({ to: phone(900_000 + sent), message: "Your code is 4471" });
    sent += 1;
  }
  const answers = await Promise.all(bulks);
  for (const answer of answers) {
    assert.ok(answer && [202, 429, 503].includes(answer.status), JSON.stringify(answer));
    if (answer.status !== 202) assert.match(answer.retryAfter ?? "", /^\d+$/);
  }
  const accepted = answers.filter((answer) => answer?.status === 202).length;
  assert.equal(await bulksOf(busy.accountId), accepted);
  assert.ok(accepted >= 1);
  assert.ok(sent > accepted, "the bystander is served more often than bulks are");
});

test("bulks of callers who have hung up are not stored, and keep nobody waiting", async () => {
  const gone = await rig.subscriber({ plan: "scale", balance: "1000000.00" });
  await Promise.all(Array.from({ length: 12 }, (_, bulk) => post(gone, bulkBody(100 + bulk), true)));
  const last = await post(gone, bulkBody(200));
  assert.equal(last?.status, 202);
  // Whatever was under way when its caller went may have been committed.
  assert.ok((await bulksOf(gone.accountId)) <= 3);
});

/** 70 recipients in more than 64 KiB. */
const longTexts = (bulk: number): object => ({
  messages: Array.from({ length: 70 }, (_, index) => ({
    to: phone(1_000_000 + bulk * 70 + index),
    message: `${index} `.padEnd(1_500, "x"),
  })),
});

test("a large bulk with more recipients than are left is refused before it is read as JSON, its own repeat is not", async () => {
  for (;;) {
    const minute = () => Math.floor(Date.now() / 60_000);
    const began = minute();
    const subscriber = await rig.subscriber({ plan: "free", balance: "100000.00" }); // 100 recipients a minute
    const named = { ...longTexts(1), reference: "one" };
    const first = await subscriber.post("/sms/bulk", named, { "idempotency-key": "first" });
    const broken = JSON.stringify(longTexts(2)).slice(0, -1);
    const refused = await fetch(`${rig.gateway.base}/sms/bulk`, {
      method: "POST",
      headers: { "x-api-key": subscriber.key, "content-type": "application/json" },
      body: broken,
    });
    const byKey = await subscriber.post("/sms/bulk", named, { "idempotency-key": "first" });
    const byReference = await subscriber.post("/sms/bulk", named);
    if (minute() !== began) continue; // the limit was a new one meanwhile
    assert.equal(first.status, 202, JSON.stringify(first.body));
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    assert.match(refused.headers.get("ratelimit") ?? "", /"sms-recipients";r=30/);
    for (const repeat of [byKey, byReference]) {
      assert.deepEqual([repeat.status, repeat.headers.get("idempotent-replayed")], [202, "true"]);
      assert.deepEqual(repeat.body, first.body);
    }
    return;
  }
});

test("fifty exports at once by one subscriber are all given out whole, and a bystander is served meanwhile", async () => {
  const busy = await rig.subscriber({ plan: "scale", balance: "1000000.00" });
  assert.equal((await post(busy, bulkBody(500)))?.status, 202);
  let ended = 0;
  const exports = Array.from({ length: 50 }, async () => {
    const headers = { "x-api-key": busy.key };
    const answer = await fetch(`${rig.gateway.base}/wallet/transactions?format=csv`, { headers });
    const lines = (await answer.text()).trimEnd().split("\r\n");
    ended += 1;
    return [answer.status, lines.length];
  });
  let sent = 0;
  while (ended < exports.length) {
    await rig.local.send({ to: phone(950_000 + sent), message: "Your code is 4471" });
    sent += 1;
  }
  // The heads, the credit that it began with, and a hold for each message.
  for (const got of await Promise.all(exports)) assert.deepEqual(got, [200, RECIPIENTS + 2]);
});

test("afterwards a large bulk is taken at once", async () => {
  await waitFor("a quick answer", async () => (await rig.local.get("/limits")).status === 200);
  assert.equal((await post(rig.local, bulkBody(400)))?.status, 202);
});

rig.provesItsLedger();
