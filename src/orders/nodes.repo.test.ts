import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { startStopwatch } from "../testing/stopwatch.ts";
import { waitFor } from "../testing/wait-for.ts";
import { nodeRoutes, reportRoutes } from "./nodes.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

const toldOf = async (route: string) => (await nodeRoutes(db)).filter((told) => told.route === route);
const waitForReady = (route: string, ready: boolean) =>
  waitFor(`${route} told as ${ready ? "ready" : "not ready"}`, async () =>
    (await toldOf(route)).find((told) => told.ready === ready),
  );

test("a node tells with its heartbeats whether it is connected to each vendor, and since when", async (t) => {
  const [good, bad] = [new ScriptedProvider("good"), new ScriptedProvider("bad")];
  bad.setReady(false);
  const engine = await startEngine(t, db, [good, bad]);
  const first = await waitForReady("good", true);
  const away = await waitForReady("bad", false);
  good.setReady(false);
  const lost = await waitForReady("good", false);
  assert.ok(lost.since > first.since);
  assert.deepEqual((await toldOf("bad"))[0], away, "what has not changed keeps its time");
  await engine.stop();
  assert.deepEqual(await nodeRoutes(db), [], "a node that has ended says nothing");
});

test("a change of readiness is told at once, and not with the next heartbeat", async (t) => {
  const vendor = new ScriptedProvider("fickle");
  const engine = await startEngine(t, db, [vendor]);
  await waitForReady("fickle", true);
  const elapsedMs = startStopwatch();
  for (let change = 0; change < 12; change += 1) {
    vendor.setReady(change % 2 === 1);
    await waitForReady("fickle", change % 2 === 1);
  }
  // Heartbeats, a second apart, would have told of as many changes in ten seconds or more.
  assert.ok(elapsedMs() < 9_000);
  await engine.stop();
});

test("a new reason for the same absence does not make it younger", async (t) => {
  const engine = await startEngine(t, db, [new ScriptedProvider("vendor")]);
  const { node } = await waitForReady("vendor", true);
  await reportRoutes(db, node, [
    { route: "elsewhere", ready: false, detail: "refused", contact: null, reachedAt: null },
  ]);
  const [before] = await toldOf("elsewhere");
  await reportRoutes(db, node, [
    { route: "elsewhere", ready: false, detail: "no answer", contact: null, reachedAt: null },
  ]);
  assert.deepEqual(await toldOf("elsewhere"), [{ ...before, detail: "no answer", contact: null, reachedAt: null }]);
  await engine.stop();
});

test("a node that does not dispatch says nothing of vendors, and its absence is no trouble", async (t) => {
  const api = await startEngine(t, db, [new ScriptedProvider("idle")], { role: "api" });
  const other = await startEngine(t, db, [new ScriptedProvider("busy")]);
  await waitForReady("busy", true);
  assert.deepEqual(await toldOf("idle"), []);
  await Promise.all([api.stop(), other.stop()]);
});

test("a node that counts as gone does not put its routes back", async () => {
  const node = "00000000-0000-7000-8000-000000000000" as Parameters<typeof reportRoutes>[1];
  await reportRoutes(db, node, [{ route: "ghost", ready: true, detail: null, contact: null, reachedAt: null }]);
  const { rows } = await db.query("select 1 from node_routes where route = 'ghost'");
  assert.deepEqual(rows, []);
});
