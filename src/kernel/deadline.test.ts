import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { standStill } from "../testing/smsc-thread.ts";
import { deadline, within } from "./deadline.ts";

/** An echo in a thread of its own, which answers so long after it was asked. */
async function startEcho(t: TestContext, afterMs: number) {
  const worker = new Worker(
    `const { createServer } = require("node:net"); const { parentPort, workerData } = require("node:worker_threads");
     const server = createServer((socket) => socket.on("data", (data) => setTimeout(() => socket.write(data), workerData)));
     server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: afterMs },
  );
  const [port] = (await once(worker, "message")) as [number];
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  t.after(async () => {
    socket.destroy();
    await worker.terminate();
  });
  return socket;
}

test("an answer that came while the loop stood still is heard before the time is up", async (t) => {
  const socket = await startEcho(t, 100);
  const order: string[] = [];
  socket.once("data", () => {
    order.push("heard");
    limit.cancel();
  });
  socket.write("hello");
  const limit = deadline(300, () => order.push("silence"));
  await standStill(1_000);
  await once(socket, "data");
  assert.deepEqual(order, ["heard"]);
});

test("time in which nobody could be heard is not counted: an answer that needs us to wake first has its whole time", async (t) => {
  const socket = await startEcho(t, 200);
  const answer = within(once(socket, "data"), 500);
  // Asked after the stall: as a request that could not leave before.
  await standStill(1_000);
  socket.write("hello");
  assert.ok(await answer);
});

test("without an answer the time is up, once, and not before", async () => {
  const startedMs = performance.now();
  let calls = 0;
  await new Promise<void>((resolve) => {
    deadline(120, () => {
      calls += 1;
      resolve();
    });
  });
  assert.ok(performance.now() - startedMs >= 120);
  assert.equal(await within(new Promise(() => undefined), 0), undefined);
  assert.equal(await within(new Promise(() => undefined), -5), undefined);
  assert.equal(calls, 1);
});

test("one that was cancelled is not called, also by another of the same moment, and keeps no other from being called", async () => {
  const called: string[] = [];
  const limits = ["a", "b", "c"].map((name, index, names) =>
    deadline(50, () => {
      called.push(name);
      if (name === "a") limits[1]?.cancel();
      if (index === names.length - 1) limits[0]?.cancel();
    }),
  );
  await within(new Promise(() => undefined), 150);
  assert.deepEqual(called, ["a", "c"]);
});

test("a failure of what is waited for is its own", async () => {
  await assert.rejects(within(Promise.reject(new Error("broken")), 1_000), /broken/);
});
