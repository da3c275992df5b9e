import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { waitFor } from "../testing/wait-for.ts";
import { type BodyRoom, type BodyRoomOptions, makeBodyRoom } from "./body-room.ts";
import type { RefusedError } from "./problems.ts";

const SMALL: BodyRoomOptions = { capacity: 100, each: 60, arriveMs: 60_000 };
const LIMIT = 1_000;

/** A body that comes in as the test writes it, and what became of it. */
function body(room: BodyRoom, owner: string, announced?: number) {
  const headers = announced === undefined ? {} : { "content-length": String(announced) };
  const stream = Object.assign(new PassThrough(), { headers });
  const hold = room.open(owner);
  let became: string | undefined;
  const read = hold.read(stream as unknown as IncomingMessage, LIMIT).then(
    (bytes) => (became = bytes.toString("latin1")),
    (error: RefusedError) => (became = error.refusal?.code ?? error.message),
  );
  return { stream, hold, read, became: () => became };
}

const write = async (to: ReturnType<typeof body>, room: BodyRoom, bytes: number) => {
  const before = room.held;
  to.stream.write("x".repeat(bytes));
  await waitFor("the bytes", () => room.held !== before || to.became() !== undefined);
};

test("a body is what was written, however it was cut, and is held until nobody needs it", async () => {
  for (const announced of [undefined, 11]) {
    const room = makeBodyRoom(SMALL);
    const one = body(room, "a", announced);
    for (const part of ["h", "ello", " ", "world"]) one.stream.write(part);
    one.stream.end();
    await one.read;
    assert.equal(one.became(), "hello world");
    assert.equal(room.held, 11);
    one.hold.end();
    one.hold.end();
    assert.equal(room.held, 0);
  }
});

test("one that is longer than allowed, or not as long as announced, is refused and holds nothing", async () => {
  const room = makeBodyRoom({ ...SMALL, capacity: 10_000, each: 10_000 });
  const announced = body(room, "a", LIMIT + 1);
  await announced.read;
  const longer = body(room, "a");
  longer.stream.end("x".repeat(LIMIT + 1));
  await longer.read;
  const shorter = body(room, "a", 5);
  shorter.stream.end("x");
  await shorter.read;
  assert.deepEqual(
    [announced, longer, shorter].map((one) => one.became()),
    ["payload_too_large", "payload_too_large", "malformed_request"],
  );
  assert.equal(room.held, 0);
});

test("an owner that has too much loses its oldest unfinished body, and what still comes of that is dropped", async () => {
  const room = makeBodyRoom(SMALL);
  const [first, second, other] = [body(room, "a"), body(room, "a"), body(room, "b")];
  await write(first, room, 40);
  await write(other, room, 30);
  await write(second, room, 30);
  await first.read;
  assert.equal(first.became(), "overloaded");
  assert.deepEqual([second.became(), other.became(), room.held], [undefined, undefined, 60]);
  first.stream.end("x".repeat(900));
  second.stream.end("!");
  other.stream.end();
  await Promise.all([second.read, other.read]);
  assert.equal(room.held, 61);
});

test("when all is full the one who holds most gives way, not whoever comes last", async () => {
  const room = makeBodyRoom(SMALL);
  const [greedy, modest, newcomer] = [body(room, "a"), body(room, "b"), body(room, "c")];
  await write(greedy, room, 55);
  await write(modest, room, 40);
  await write(newcomer, room, 10);
  assert.deepEqual(
    [greedy, modest, newcomer].map((one) => one.became()),
    ["overloaded", undefined, undefined],
  );
});

test("when all that is held is finished and still in work, the newcomer is refused", async () => {
  const room = makeBodyRoom(SMALL);
  const finished = [body(room, "a"), body(room, "b")];
  for (const one of finished) one.stream.end("x".repeat(50));
  await Promise.all(finished.map((one) => one.read));
  const newcomer = body(room, "c");
  await write(newcomer, room, 10);
  await newcomer.read;
  assert.deepEqual(
    [...finished, newcomer].map((one) => one.became()?.length),
    [50, 50, "overloaded".length],
  );
  assert.equal(room.held, 100);
});

test("a body that takes too long, or whose connection breaks, is given up", async () => {
  const room = makeBodyRoom({ ...SMALL, arriveMs: 20 });
  const slow = body(room, "a");
  await write(slow, room, 10);
  await slow.read;
  assert.equal(slow.became(), "request_timeout");
  const broken = body(room, "a");
  await write(broken, room, 10);
  broken.stream.destroy();
  await broken.read;
  assert.equal(broken.became(), "the connection broke");
  assert.equal(room.held, 0);
});

test("ten thousand tiny pieces cost what they hold", async () => {
  const room = makeBodyRoom({ ...SMALL, capacity: 20_000, each: 20_000 });
  const one = body(room, "a", LIMIT);
  for (let count = 0; count < LIMIT; count += 1) one.stream.write("x");
  one.stream.end();
  await one.read;
  assert.equal(room.held, LIMIT);
});

test("large bodies are read at the pace of the room, and small ones at once", async () => {
  const pace = { bytesPerSecond: 1_000_000, burst: 1 };
  const room = makeBodyRoom({ capacity: 1_000_000, each: 1_000_000, arriveMs: 60_000, pace });
  const small = body(room, "b", 10);
  const limit = 100_000;
  small.stream.end("x".repeat(10));
  await small.read;
  assert.equal(small.became()?.length, 10);
  const stream = Object.assign(new PassThrough(), { headers: {} });
  const read = room.open("c").read(stream as unknown as IncomingMessage, limit);
  let pauses = 0;
  stream.on("pause", () => {
    pauses += 1;
  });
  stream.write(Buffer.alloc(70_000, 32));
  await waitFor("the end of its turn", () => pauses > 0);
  stream.end(Buffer.alloc(30_000, 32));
  assert.equal((await read).length, limit);
});
