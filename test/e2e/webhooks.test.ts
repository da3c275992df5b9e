import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { makeTestKey } from "../../src/testing/account.ts";
import { orderFaults, Receiver } from "../../src/testing/receiver.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { assertProblem, type Problem, phone, startRig } from "./rig.ts";

const rig = await startRig();

interface Webhook {
  readonly id: string;
  readonly status: string;
  readonly secret: string;
  readonly public_key: string;
}

const create = (body: object, by = rig.local) => by.post<Webhook & Problem>("/webhooks", body);

async function subscribe(more: object = {}, by = rig.local) {
  const receiver = await Receiver.start();
  const { status, body } = await create({ url: receiver.url, ...more }, by);
  assert.equal(status, 201, JSON.stringify(body));
  await waitFor(
    "an active endpoint",
    async () => (await by.get<Webhook>(`/webhooks/${body.id}`)).body.status === "active",
  );
  return { receiver, webhook: body };
}

const remove = (id: string, key = rig.local.key) =>
  rig.gateway.call("DELETE", `/webhooks/${id}`, undefined, { "x-api-key": key });

test("a message's events arrive in order, signed, with the bodies of the feed", async () => {
  const { receiver, webhook } = await subscribe({ types: ["sms.*"] });
  const sent = await Promise.all(
    Array.from({ length: 50 }, (_, index) => rig.local.send({ to: phone(index), message: `Number ${index}` })),
  );
  const events = await waitFor("100 events", () => receiver.events.length >= 100 && receiver.events);
  assert.deepEqual(orderFaults(events), []);
  for (const { id } of sent) {
    const types = events.filter(({ subject }) => subject === id).map(({ type }) => type);
    assert.deepEqual(types, ["sms.sent", "sms.delivered"]);
  }
  const verifier = new StandardWebhook(webhook.secret);
  for (const { body, headers } of events) verifier.verify(body, headers as Record<string, string>);

  const feed = new Map<string, object>();
  for (let after = ""; ; ) {
    const { body, status } = await rig.local.get<{ data: { id: string }[]; next_cursor: string; has_more: boolean }>(
      `/events?type=sms.*&limit=100${after}`,
    );
    assert.equal(status, 200, JSON.stringify(body));
    for (const event of body.data) feed.set(event.id, event);
    if (!body.has_more) break;
    after = `&after=${body.next_cursor}`;
  }
  for (const { id, body } of events) {
    const { type, sequence } = JSON.parse(body.toString()) as { type: string; sequence: number };
    const same = feed.get(id) as { type: string; sequence: number };
    assert.deepEqual([same.type, same.sequence], [type, sequence]);
    assert.deepEqual(Object.keys(same), Object.keys(JSON.parse(body.toString())));
  }
  await remove(webhook.id);
});

test("a receiver that fails a third of the time at random gets every event in order, and repeats under the same id only", async () => {
  const { receiver, webhook } = await subscribe({ types: ["sms.*"] });
  receiver.answer = (_received, response) => {
    const chance = Math.random();
    if (chance > 1 / 3) return 204;
    if (chance > 1 / 6) return 500;
    response.socket?.destroy();
    return undefined;
  };
  const sent = await Promise.all(
    Array.from({ length: 200 }, (_, index) => rig.local.send({ to: phone(1_000 + index), message: "Hello" })),
  );
  const distinct = () => new Set(receiver.events.map(({ id }) => id)).size;
  await waitFor("400 events", () => distinct() === 2 * sent.length);
  assert.deepEqual(orderFaults(receiver.events), []);
  await remove(webhook.id);
});

test("only keys with the scope manage see and change endpoints, each of its own account and mode", async () => {
  const { webhook } = await subscribe();
  const account = await rig.subscriber();
  const sender = await makeTestKey(rig.db, {
    secret: rig.secret,
    accountId: account.accountId,
    mode: "test",
    scopes: ["read", "send"],
  });
  for (const [method, path, body] of [
    ["GET", "/webhooks", undefined],
    ["POST", "/webhooks", { url: "http://localhost:3000/" }],
    ["GET", `/webhooks/${webhook.id}`, undefined],
    ["GET", `/webhooks/${webhook.id}/deliveries`, undefined],
    ["PATCH", `/webhooks/${webhook.id}`, { status: "paused" }],
    ["POST", `/webhooks/${webhook.id}/rotate`, {}],
    ["POST", `/webhooks/${webhook.id}/test`, undefined],
    ["POST", `/webhooks/${webhook.id}/replay`, { failed_since: "2026-11-27T09:00:00Z" }],
    ["DELETE", `/webhooks/${webhook.id}`, undefined],
  ] as const) {
    const by = (key: string) => rig.gateway.call<Problem>(method, path, body, { "x-api-key": key });
    const refused = await by(sender);
    assert.deepEqual([refused.status, refused.body.code], [403, "scope_missing"], `${method} ${path}`);
    if (path === "/webhooks") continue;
    const stranger = await by(account.key);
    assertProblem(stranger);
    assert.deepEqual([stranger.status, stranger.body.code], [404, "not_found"], `${method} ${path}`);
    const absent = await rig.gateway.call<Problem>(method, path.replace(webhook.id, "whe_none"), body);
    assert.equal(absent.status, 404, `${method} ${path}`);
  }
  await remove(webhook.id);
});

test("what an endpoint can't be is refused, with all its faults", async () => {
  const live = await rig.subscriber({ mode: "live" });
  const refusals: readonly [by: typeof rig.local, body: object, pointers: readonly string[]][] = [
    [rig.local, {}, ["/url"]],
    [rig.local, { url: "ftp://example.ng/" }, ["/url"]],
    [rig.local, { url: "http://user:pass@localhost:3000/" }, ["/url"]],
    [rig.local, { url: "http://169.254.169.254/", types: ["sms.deliverd", "*"] }, ["/url", "/types/0"]],
    [rig.local, { url: "http://localhost:3000/", types: [] }, ["/types"]],
    [rig.local, { url: "http://localhost:3000/", types: ["sms"] }, ["/types/0"]],
    [rig.local, { url: "http://localhost:3000/", types: ["sms.*", "sms.*"] }, ["/types"]],
    [rig.local, { url: "http://localhost:3000/", secret: "whsec_mine" }, ["/secret"]],
    [live, { url: "http://localhost:3000/" }, ["/url"]],
    [live, { url: "http://example.ng/" }, ["/url"]],
    [live, { url: "https://127.0.0.1/" }, ["/url"]],
    [live, { url: "https://localhost../" }, ["/url"]],
  ];
  for (const [by, body, pointers] of refusals) {
    const refused = await create(body, by);
    assertProblem(refused);
    assert.equal(refused.status, 400, JSON.stringify(body));
    assert.deepEqual(
      refused.body.errors?.map(({ pointer }) => pointer),
      pointers,
      JSON.stringify(refused.body.errors),
    );
  }
});

test("an account has twenty endpoints in each mode at most", async () => {
  const account = await rig.subscriber();
  for (let index = 0; index < 20; index++)
    assert.equal((await create({ url: `http://127.0.0.1:1025/${index}` }, account)).status, 201);
  const refused = await create({ url: "http://127.0.0.1:1025/20" }, account);
  assertProblem(refused);
  assert.deepEqual([refused.status, refused.body.code], [409, "invalid_state"]);
  const first = await account.get<{ data: Webhook[]; next_cursor: string }>("/webhooks?limit=15");
  const rest = await account.get<{ data: Webhook[]; has_more: boolean }>(
    `/webhooks?limit=15&after=${first.body.next_cursor}`,
  );
  assert.deepEqual([first.body.data.length, rest.body.data.length, rest.body.has_more], [15, 5, false]);
  for (const { id } of [...first.body.data, ...rest.body.data]) await remove(id, account.key);
});

test("tokens are in full only for endpoints that a key with the scope vend has made", async () => {
  const { key, accountId } = await rig.subscriber({ also: { electricity: "scale" }, balance: "100000.00" });
  const manager = await makeTestKey(rig.db, {
    secret: rig.secret,
    accountId,
    mode: "test",
    scopes: ["read", "manage"],
  });
  const [full, masked] = [await subscribe({}, rig.as(key)), await subscribe({}, rig.as(manager))];
  const bought = await rig
    .as(key)
    .post<{ id: string }>(
      "/electricity/purchase",
      { disco: "ikeja-electric", meter_number: "11111111111", amount: 5_000, to: "08031234567" },
      { "idempotency-key": "webhook tokens" },
    );
  assert.ok([201, 202].includes(bought.status), JSON.stringify(bought.body));
  const tokenOf = async ({ receiver }: typeof full) => {
    const event = await waitFor("the purchase", () =>
      receiver.events.find(({ type }) => type === "electricity.successful"),
    );
    return /"value":"([^"]*)"/.exec(event.body.toString())?.[1] ?? "";
  };
  assert.match(await tokenOf(full), /^\d{4}(?: \d{4}){4}$/);
  assert.match(await tokenOf(masked), /^\*{4}/);
});

rig.provesItsLedger();
