import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { insertAccount } from "../accounts/accounts.repo.ts";
import { placeEvents, readHead } from "../events/feed.repo.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { NO_METRICS } from "../ports/metrics.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { writeEvent } from "../testing/events.ts";
import { waitFor } from "../testing/wait-for.ts";
import { ENDPOINTS_MAX } from "./endpoint.ts";
import { makeEndpoints } from "./endpoints.service.ts";
import { makeWebhooksPart } from "./index.ts";
import { LOCAL } from "./post.ts";
import { makeWebhookSeal } from "./sealed.ts";

const ACCOUNTS = 50;
const ENDPOINTS = ACCOUNTS * ENDPOINTS_MAX;
const ROUNDS = 20;
const SECRET = "secret of the tests";

const stops: (() => Promise<unknown>)[] = [];
// Before the database's own hook.
after(() => Promise.all(stops.map((stop) => stop())));
const db = (await makeTestDatabase()).open();
const clock = { now: () => new Date(), monotonicMs: () => performance.now() };

const SLOW_MS = 5_000;
/** One server for all endpoints: `/hook/7`. What every tenth does. */
let tenths: "answer" | "hang" | "are slow" = "answer";
const isOdd = (endpoint: number): boolean => tenths !== "answer" && endpoint % 10 === 0;
const arrivals: { readonly endpoint: number; readonly id: string; readonly atMs: number }[] = [];
const server = createServer((request, response) => {
  const endpoint = Number(request.url?.split("/").at(-1));
  request.resume().on("end", () => {
    if (isOdd(endpoint)) {
      if (tenths === "are slow") setTimeout(() => response.writeHead(204).end(), SLOW_MS).unref();
      return;
    }
    arrivals.push({ endpoint, id: String(request.headers["webhook-id"]), atMs: performance.now() });
    response.writeHead(204).end();
  });
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", 4_096, done));
after(() => server.closeAllConnections());
after(() => server.close());
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

const listeners = new Set<() => void>();
const part = makeWebhooksPart({
  db,
  node: newUuid(),
  clock,
  log: SILENT,
  metrics: NO_METRICS,
  secret: SECRET,
  isLocal: true,
  events: {
    types: ["parcel.sent"],
    onFeed(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    bodies: async (told) =>
      told.map(({ id, type, at, sequence }) => ({
        id: encodeId("evt", id),
        type,
        timestamp: at.toISOString(),
        api_version: "2026-11-27",
        sequence,
        data: { object: {}, previous_status: null },
      })),
  },
});
await part.start([]);
stops.push(() => part.stop());

const owners: { readonly accountId: Uuid; readonly mode: "test" }[] = [];
const endpoints = makeEndpoints({
  db,
  clock,
  seal: makeWebhookSeal(SECRET),
  rulesFor: () => LOCAL,
  faultsOfTypes: () => [],
  readHead,
});

async function makeAll(): Promise<void> {
  let count = 0;
  for (let index = 0; index < ACCOUNTS; index++) {
    const owner = { accountId: newUuid(), mode: "test" } as const;
    await insertAccount(db, { id: owner.accountId, name: "Test" });
    owners.push(owner);
    for (let each = 0; each < ENDPOINTS_MAX; each++) {
      const made = await endpoints.create(
        { ...owner, mayVend: true, actor: { kind: "system" } },
        { url: `${base}/${count++}` },
      );
      assert.ok(made.ok);
    }
  }
  await waitFor("all endpoints", async () => {
    const { rows } = await db.query<{ count: number }>(
      "select count(*)::int as count from webhook_endpoints where status = 'active'",
    );
    return rows[0]!.count === ENDPOINTS;
  });
}

/** An event for every endpoint, some times over. The times, in ms, until they arrived at those that answer at once, sorted. */
async function lags(): Promise<readonly number[]> {
  const found: number[] = [];
  const expected = tenths !== "answer" ? (ENDPOINTS / 10) * 9 : ENDPOINTS;
  for (let round = 0; round < ROUNDS; round++) {
    const writtenMs = performance.now();
    const ids = new Set<string>();
    for (const owner of owners) ids.add(encodeId("evt", await writeEvent(db, owner, { at: clock.now() })));
    await placeEvents(db);
    for (const heard of listeners) heard();
    const arrived = await waitFor("a round", () => {
      const ours = arrivals.filter(({ id, endpoint }) => ids.has(id) && !isOdd(endpoint));
      return ours.length >= expected && ours;
    });
    found.push(...arrived.map(({ atMs }) => atMs - writtenMs));
    arrivals.length = 0;
  }
  return found.sort((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor((sorted.length - 1) * share)]!;

test("of 1,000 endpoints 100 hang, or answer after 5 s: the other 900 lag no more than without them", async (t) => {
  await makeAll();
  await lags(); // warm
  const without = await lags();
  for (const manner of ["are slow", "hang"] as const) {
    tenths = manner;
    await lags(); // they are known after their first answers and time limits
    const withThem = await lags();
    for (const share of [0.5, 0.99, 1])
      t.diagnostic(
        `p${share * 100}: ${Math.round(at(without, share))} ms without, ${Math.round(at(withThem, share))} ms while 100 ${manner}`,
      );
    assert.ok(at(withThem, 0.5) < at(without, 0.5) * 1.5 + 100, `median while 100 ${manner}`);
    assert.ok(at(withThem, 0.99) < at(without, 0.99) * 1.5 + 250, `99th percentile while 100 ${manner}`);
  }
});
