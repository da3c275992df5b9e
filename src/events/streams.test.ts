import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { after, test } from "node:test";
import { drain } from "../http/drain.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { newUuid } from "../kernel/ids.ts";
import { JobRunner } from "../orders/job-runner.ts";
import type { Told } from "../ports/event-object.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { REAL_CLOCK } from "../testing/engine.ts";
import { writeEvent } from "../testing/events.ts";
import { makeRig } from "../testing/http-rig.ts";
import { waitFor } from "../testing/wait-for.ts";
import { makeEventBodies } from "./event-bodies.ts";
import { EVENT_REFUSALS } from "./events.refusals.ts";
import { eventRoutes } from "./events.routes.ts";
import type { FeedOwner } from "./feed.repo.ts";
import { makeFeed } from "./feed.ts";
import { makeStreams, type StreamLimits } from "./streams.ts";

const database = await makeTestDatabase();
const db = database.open();

/** Far longer than anything here takes. */
const LONG_MS = 15_000;
const LARGE = "x".repeat(20_000);

/** A server with the routes of the feed alone, and a key. */
async function startServer(limits: Partial<StreamLimits> = {}, options: { readonly stalledMs?: number } = {}) {
  const owner: FeedOwner = { accountId: newUuid(), mode: "test" };
  const key = { accountId: owner.accountId, scopes: ["read"] } as const;
  const rig = await makeRig({ key, options: { ...options, refusals: [EVENT_REFUSALS] } });
  const feed = makeFeed({ db: database.open(), clock: REAL_CLOCK });
  const read = { pages: 0 };
  const large = async (told: readonly Told[]) => {
    read.pages += 1;
    return new Map(
      told.map(({ id }) => [id, { object: "parcel", text: "one\r\ntwo\rdata: three\n\nid: 4", filler: LARGE }]),
    );
  };
  const bodies = makeEventBodies({
    db,
    apiVersion: "2026-11-27",
    orderObjects: new Map(),
    readers: { "parcel.large": large },
  });
  const streams = makeStreams({ db, feed, bodies, log: SILENT, limits: { heartbeatMs: 200, ...limits } });
  const clock = { ...REAL_CLOCK, aheadMs: 0, now: () => new Date(Date.now() + clock.aheadMs) };
  const types = ["a", "b", "c", "large", "often", "rare", "sent"].map((name) => `parcel.${name}`);
  eventRoutes(rig.app, { db, clock, bodies, streams, types, isStillAllowed: rig.authenticator.isStillAllowed });
  const runner = new JobRunner(SILENT);
  runner.start(feed.jobs);
  const base = await rig.app.listen({ host: "127.0.0.1", port: 0 });
  after(async () => {
    streams.end();
    await rig.app.close();
    await runner.stop();
  });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${base}${path}`, { headers: { "x-api-key": rig.key, ...headers } });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Page & { code: string } };
  };
  return { ...rig, base, owner, streams, clock, get, read };
}

interface Page {
  readonly data: readonly { readonly id: string; readonly type: string }[];
  readonly next_cursor: string;
}
type Server = Awaited<ReturnType<typeof startServer>>;

interface Frame {
  readonly id?: string;
  readonly retry?: string;
  readonly data?: { readonly type: string; readonly sequence: number };
  readonly isComment: boolean;
}

/** A reader of a stream, who takes what comes. */
async function openStream(server: Server, headers: Record<string, string> = {}, query = "", expected = 200) {
  const call = request(`${server.base}/events/stream${query}`, { headers: { "x-api-key": server.key, ...headers } });
  call.on("error", () => undefined);
  call.end();
  const [answer] = (await once(call, "response")) as [IncomingMessage];
  let text = "";
  let hasEnded = false;
  answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  answer.on("close", () => (hasEnded = true)).on("error", () => undefined);
  if (answer.statusCode !== expected) assert.equal(await answer.toArray().then(() => text), expected);
  const frames = (): readonly Frame[] =>
    text
      .split("\n\n")
      .slice(0, -1)
      .map((block) => {
        const fields = new Map(
          block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
        );
        return {
          ...(fields.has("id") && { id: fields.get("id")! }),
          ...(fields.has("retry") && { retry: fields.get("retry")! }),
          ...(fields.has("data") && { data: JSON.parse(fields.get("data")!) }),
          isComment: fields.has(""),
        };
      });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: () => text,
    frames,
    events: () => frames().filter(({ data }) => data !== undefined),
    ended: () => waitFor("the end of the stream", () => hasEnded || undefined, LONG_MS),
    close: () => void call.destroy(),
    until: (what: string, is: (all: readonly Frame[]) => boolean) =>
      waitFor(what, () => is(frames()) && frames(), LONG_MS),
  };
}

const events = (count: number) => (frames: readonly Frame[]) => frames.filter(({ data }) => data).length >= count;

test("an event is in the stream soon after its commit, with its cursor, on one line", async () => {
  const server = await startServer();
  const stream = await openStream(server);
  assert.deepEqual(
    [
      stream.status,
      stream.headers["content-type"],
      stream.headers["x-accel-buffering"],
      stream.headers["cache-control"],
    ],
    [200, "text/event-stream", "no", "no-store, no-transform"],
  );
  await writeEvent(db, server.owner, { type: "parcel.sent" });
  const frames = await stream.until("the event", events(1));
  assert.deepEqual([frames[0]?.retry, frames[0]?.data], ["2000", undefined]);
  const [event] = stream.events();
  assert.equal(event?.data?.type, "parcel.sent");
  const { body } = await server.get("/events");
  assert.deepEqual(body.data, [event?.data]);
  stream.close();
});

test("who comes back with the last id goes on behind it, and Last-Event-ID comes before the query", async () => {
  const server = await startServer();
  const first = await openStream(server);
  await writeEvent(db, server.owner, { type: "parcel.a" });
  await first.until("the first", events(1));
  first.close();
  for (const type of ["parcel.b", "parcel.c"]) await writeEvent(db, server.owner, { type });
  const id = first.events()[0]!.id!;
  const second = await openStream(server, { "last-event-id": id }, `?after=${first.frames()[0]!.id}`);
  await second.until("what came meanwhile", events(2));
  assert.deepEqual(
    second.events().map(({ data }) => data!.type),
    ["parcel.b", "parcel.c"],
  );
  const { body } = await server.get(`/events?after=${id}`);
  assert.equal(body.data.length, 2);
  second.close();
});

test("who is cut off before the first event loses none: the stream begins with its place", async () => {
  const server = await startServer();
  const first = await openStream(server);
  const [hello] = await first.until("its place", (frames) => frames.length > 0);
  first.close();
  await writeEvent(db, server.owner, { type: "parcel.a" });
  const second = await openStream(server, { "last-event-id": hello!.id! });
  await second.until("the event", events(1));
  second.close();
});

test("a quiet stream gives signs of life with a place that moves past events of other types", async () => {
  const server = await startServer();
  const stream = await openStream(server, {}, "?type=parcel.rare");
  const start = (await stream.until("its place", (frames) => frames.length > 0))[0]!.id;
  await writeEvent(db, server.owner, { type: "parcel.often" });
  await stream.until("a sign of life elsewhere", (all) => all.some(({ id, isComment }) => isComment && id !== start));
  assert.deepEqual(stream.events(), []);
  await writeEvent(db, server.owner, { type: "parcel.rare" });
  await stream.until("the wanted one", events(1));
  stream.close();
});

test("no id has a line break or what a header may not have, and line breaks in texts make no lines of the stream", async () => {
  const server = await startServer();
  const stream = await openStream(server);
  await writeEvent(db, server.owner, { type: "parcel.large" });
  await stream.until("the event", events(1));
  assert.equal(stream.events().length, 1);
  for (const { id } of stream.frames()) assert.match(id!, /^[A-Za-z0-9_-]+$/);
  assert.doesNotMatch(stream.text(), /\r|^event:/m);
  stream.close();
});

test("nothing compresses a stream, which would hold events back", async () => {
  const server = await startServer();
  const stream = await openStream(server, { "accept-encoding": "gzip, deflate, br" });
  await writeEvent(db, server.owner);
  await stream.until("the event", events(1));
  assert.equal(stream.headers["content-encoding"], undefined);
  stream.close();
});

test("a cursor of 31 days ago is refused, in pages and streams, as events after it are gone", async () => {
  const server = await startServer();
  const { next_cursor: cursor } = (await server.get("/events")).body;
  server.clock.aheadMs = 31 * DAY_MS;
  for (const answer of [
    await server.get(`/events?after=${cursor}`),
    await server.get("/events/stream", { "last-event-id": cursor }),
  ])
    assert.deepEqual([answer.status, answer.body.code], [410, "cursor_expired"]);
  const made = await server.get("/events/stream", { "last-event-id": "made up" });
  assert.deepEqual([made.status, made.body.code], [400, "invalid_cursor"]);
});

test("a type that no event has is refused, in pages and streams: nobody waits for a misspelt one", async () => {
  const server = await startServer();
  for (const path of ["/events?type=parcel.snt", "/events/stream?type=parcel.sent,parcel.snt"]) {
    const { status, body } = await server.get(path);
    assert.deepEqual([status, body.code], [400, "validation_failed"]);
    assert.match(
      JSON.stringify(body),
      /"parameter":"type".*No event has the type parcel\.snt\. Did you mean parcel\.sent\?/,
    );
  }
});

test("a key has so many streams and no more, and one that is closed makes room", async () => {
  const server = await startServer({ eachKey: 2 });
  const open = [await openStream(server), await openStream(server)];
  const refused = await server.get("/events/stream");
  assert.deepEqual(
    [refused.status, refused.body.code, refused.headers.get("retry-after")],
    [429, "too_many_streams", "30"],
  );
  open[0]!.close();
  const next = await waitFor("room", async () => {
    const stream = await openStream(server);
    return stream.status === 200 ? stream : undefined;
  });
  for (const stream of [...open, next]) stream.close();
});

test("a process has so many streams and no more", async () => {
  const server = await startServer({ all: 1 });
  const stream = await openStream(server);
  const refused = await server.get("/events/stream");
  assert.deepEqual([refused.status, refused.body.code], [503, "overloaded"]);
  stream.close();
});

test("a revoked key's stream brings nothing more and ends", async () => {
  const server = await startServer();
  const stream = await openStream(server);
  await writeEvent(db, server.owner);
  await stream.until("the event", events(1));
  server.setRecord({ revokedAt: new Date() });
  await writeEvent(db, server.owner);
  await stream.ended();
  assert.equal(stream.events().length, 1);
});

test("a node that stops ends its streams, and its readers go on elsewhere without a loss", async () => {
  const server = await startServer();
  const stream = await openStream(server);
  await writeEvent(db, server.owner);
  await stream.until("the event", events(1));
  server.streams.end();
  const late = await openStream(server);
  await Promise.all([stream.ended(), late.ended()]);
  assert.equal(late.frames().length, 1, "it has its place, and is told to come back");
  await drain(server.app, 0);
});

test("a reader who takes nothing holds little in memory, is cut off, and comes back where it was", async () => {
  const server = await startServer({}, { stalledMs: 500 });
  const { next_cursor: start } = (await server.get("/events")).body;
  const count = 2_000;
  await db.query(
    `insert into events (account_id, order_id, version, mode, id, type, sequence, status, at)
     select $1, uuidv7_now(), 1, 'test', uuidv7_now(), 'parcel.large', 1, 'sent', clock_timestamp() from generate_series(1, $2)`,
    [server.owner.accountId, count],
  );
  await waitFor("the events", async () => (await server.get(`/events?limit=1&after=${start}`)).body.data.length === 1);
  server.read.pages = 0;
  const socket = connect({ port: Number(new URL(server.base).port), host: "127.0.0.1" });
  socket.on("error", () => undefined);
  socket.write(`GET /events/stream?after=${start} HTTP/1.1\r\nhost: here\r\nx-api-key: ${server.key}\r\n\r\n`);
  // It reads a little, then nothing.
  let text = "";
  while (!/^data:.*\n\n/m.test(text)) text += ((await once(socket, "data")) as [Buffer])[0].toString();
  socket.pause();
  const connections = () =>
    new Promise<number>((resolve) => server.app.server.getConnections((_, open) => resolve(open)));
  await waitFor("the end of its connection", async () => (await connections()) <= 1);
  const { pages } = server.read;
  assert.ok(pages < 15, `${pages} pages of ${count / 100} were read`);
  socket.destroy();
  const ids = [...text.matchAll(/^id: (\S+)\ndata: .*\n\n/gm)].map(([, id]) => id!);
  const stream = await openStream(server, { "last-event-id": ids.at(-1)! });
  await stream.until("the rest", events(count - ids.length));
  stream.close();
});
