import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { ConfigFile } from "../../src/config/operator-file.ts";
import { makeTestAccount } from "../../src/testing/account.ts";
import { makeTestDatabase } from "../../src/testing/database.ts";
import { type Gateway, makeDataDir, startGateway } from "../../src/testing/gateway.ts";
import { needs } from "../../src/testing/needs.ts";
import { type RedisServer, startRedis } from "../../src/testing/redis-server.ts";
import { writeTestConfig } from "../../src/testing/test-config.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/** Limits of the running program: on three processes that share a server, and on one that counts for itself. */

const skip = needs("redis");
const LIMIT = 30;
const NODES = 3;
const SECRET = "a secret that all nodes of the tests share";

const directories: { readonly remove: () => Promise<void> }[] = [];
const gateways: Gateway[] = [];
let redis: RedisServer | undefined;
// Before the database's own hook: a gateway that loses its database while it stops would wait for it.
after(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await Promise.all(directories.map(({ remove }) => remove()));
  await redis?.kill();
});
const database = await makeTestDatabase();
const db = database.open();

/** A node that takes requests and sends nothing. */
async function startNode(environment: Readonly<Record<string, string>>): Promise<Gateway> {
  const data = await makeDataDir();
  directories.push(data);
  const config = await writeTestConfig(data.dir, (file) => {
    for (const plan of file.services.sms?.plans ?? []) Object.assign(plan.limits, { "sms-preview": LIMIT });
    const elsewhere: ConfigFile["simulators"] = {
      smsc: { ...file.simulators?.smsc, start: false },
      vendors: { start: false },
    };
    return { ...file, simulators: elsewhere };
  });
  const gateway = await startGateway({
    dataDir: data.dir,
    environment: {
      AFARA_CONFIG: config.path,
      AFARA_ROLE: "api",
      AFARA_SECRET: SECRET,
      AFARA_LOG_LEVEL: "info",
      ...environment,
    },
  });
  gateways.push(gateway);
  return gateway;
}

const nodes: Gateway[] = [];
if (skip === false) {
  redis = await startRedis();
  const environment = { DATABASE_URL: database.url, REDIS_URL: redis.url };
  for (let count = 0; count < NODES; count += 1) nodes.push(await startNode(environment));
}
const alone = await startNode({}); // with an embedded database

const call = (gateway: Gateway, key = gateway.key) =>
  gateway.call("POST", "/sms/preview", { message: "One" }, { "x-api-key": key });

/** What `GET /limits` says of the policy, which counts nothing. */
async function limitOn(gateway: Gateway): Promise<number | undefined> {
  const { body } = await gateway.call<{ limits: { policy: string; limit: number }[] }>("GET", "/limits");
  return body.limits.find(({ policy }) => policy === "sms-preview")?.limit;
}

const leftOfMinuteMs = () => 60_000 - (Date.now() % 60_000);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** How often a node has said this. */
const saidBy = (node: Gateway, line: string): number => node.output().split(line).length - 1;
const AWAY = "shared counters are away";
const BACK = "shared counters are back";

async function provesExact(on: readonly Gateway[], triesLeft = 2): Promise<void> {
  const losses = () => on.reduce((sum, node) => sum + saidBy(node, AWAY), 0);
  const before = losses();
  // Late in the minute, so that its end is not far.
  const isLate = () => leftOfMinuteMs() > 6_000 && leftOfMinuteMs() < 14_000;
  await waitFor("the last seconds of a minute", isLate, 61_000);
  const answers = [];
  for (let count = 0; count < LIMIT + 5; count += 1) answers.push(await call(on[count % on.length]!));
  // On a machine that stands still for a moment a node counts its share instead: what it does then is another promise.
  if (losses() > before && triesLeft > 0) return provesExact(on, triesLeft - 1);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array(LIMIT).fill(200), ...Array(5).fill(429)],
  );
  assert.deepEqual(
    answers.map(({ headers }) => Number(headers.get("x-ratelimit-remaining"))),
    [...Array.from({ length: LIMIT }, (_, index) => LIMIT - 1 - index), 0, 0, 0, 0, 0],
  );
  for (const { headers } of answers) assert.equal(headers.get("ratelimit-policy"), `"sms-preview";q=${LIMIT};w=60`);
  const retryAfter = answers.at(-1)!.headers.get("retry-after") ?? "";
  assert.match(retryAfter, /^([1-9]|1[0-4])$/);
  await sleep(Number(retryAfter) * 1_000);
  const next = await call(on[0]!);
  assert.deepEqual([next.status, next.headers.get("x-ratelimit-remaining")], [200, String(LIMIT - 1)]);
}

suite("of more calls than the limit exactly the limit passes, and who waits as told passes", { concurrency: 2 }, () => {
  test("on three nodes with a server that counts for all", { skip }, () => provesExact(nodes));
  test("on one node alone", () => provesExact([alone]));
});

test("of calls at once on three nodes exactly the limit passes", { skip }, async () => {
  const { key } = await makeTestAccount(db, { secret: SECRET, plan: "scale" });
  await waitFor("a minute that goes on", () => leftOfMinuteMs() > 6_000, 10_000);
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => call(nodes[index % NODES]!, key)));
  assert.equal(answers.filter(({ status }) => status === 200).length, LIMIT);
  assert.equal(answers.filter(({ status }) => status === 429).length, 60 - LIMIT);
});

test("while the server is away each node passes its share and none fails; all is exact again when it is back", {
  skip,
}, async () => {
  const { key } = await makeTestAccount(db, { secret: SECRET, plan: "scale" });
  await waitFor("a minute that goes on", () => leftOfMinuteMs() > 20_000, 21_000);
  for (const node of nodes) assert.equal((await call(node, key)).status, 200);

  const before = nodes.map((node) => [saidBy(node, AWAY), saidBy(node, BACK)] as const);
  await redis!.kill();
  const statuses = nodes.map((): number[] => []);
  const callOnAll = async () => {
    const answers = await Promise.all(nodes.map((node) => call(node, key)));
    for (const [index, { status }] of answers.entries()) statuses[index]!.push(status);
  };
  for (let count = 0; count < LIMIT; count += 1) await callOnAll();
  for (const [index, node] of nodes.entries()) {
    assert.equal(await limitOn(node), LIMIT / NODES, "what it says is what it does");
    assert.equal((await fetch(`${node.base}/readyz`)).status, 200);
    const passed = statuses[index]!.filter((status) => status === 200).length;
    assert.equal(passed, LIMIT / NODES);
    assert.equal(statuses[index]!.filter((status) => status === 429).length, LIMIT - passed);
  }

  await redis!.start();
  for (const node of nodes)
    await waitFor("the node to count with the others", async () => (await limitOn(node)) === LIMIT);
  const { key: another } = await makeTestAccount(db, { secret: SECRET, plan: "scale" });
  await waitFor("a minute that goes on", () => leftOfMinuteMs() > 3_000, 5_000);
  for (const [index, node] of nodes.entries())
    assert.equal((await call(node, another)).headers.get("x-ratelimit-remaining"), String(LIMIT - 1 - index));
  for (const [index, node] of nodes.entries()) {
    const [away, back] = before[index]!;
    assert.deepEqual([saidBy(node, AWAY) - away, saidBy(node, BACK) - back], [1, 1], node.output());
  }
});
