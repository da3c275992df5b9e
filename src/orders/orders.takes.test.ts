import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { type EngineOptions, makeCustomer, makeEngine, newTopup, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import { pauseRoute, resumeRoute } from "./nodes.repo.ts";

/** Whether anybody sells it is known before money is held; and only those who do are asked to. */

const db = (await makeTestDatabase()).open();

const DONE: Outcome = { kind: "done" };
const LOST: Outcome = { kind: "unknown", detail: "no answer" };
const refused = (scope: "route" | "order"): Outcome => ({
  kind: "rejected",
  scope,
  code: "vendor_failed",
  detail: "no",
});

const vendorNamed = (name: string, outcome: Outcome = DONE) => {
  const vendor = new ScriptedProvider(name);
  vendor.answers(() => outcome);
  return vendor;
};
const start = (t: TestContext, vendors: readonly ScriptedProvider[], options?: EngineOptions) =>
  startEngine(t, db, vendors, options);
const asOrder = (payload: object = {}) => ({ service: "topup", mode: "test", payload }) as const;

test("a purchase is taken while a route that sells it is up, connected and not paused", async (t) => {
  const vendor = vendorNamed("t-up");
  const engine = await start(t, [vendor]);
  assert.ok(engine.takes(asOrder()));
  assert.ok(!engine.takes({ ...asOrder(), mode: "live" }), "in this mode nobody sells");
  vendor.setReady(false);
  assert.ok(!engine.takes(asOrder()));
  vendor.setReady(true);
  await pauseRoute(db, "t-up", "float is empty");
  await waitFor("the pause", () => !engine.takes(asOrder()));
  await resumeRoute(db, "t-up");
  await waitFor("the end of the pause", () => engine.takes(asOrder()));
});

test("a pause counts from the first moment of a node: nothing leaves before it is read", async (t) => {
  await pauseRoute(db, "t-paused", "float is empty");
  const engine = await start(t, [vendorNamed("t-paused")]);
  assert.ok(!engine.takes(asOrder()));
});

test("labels say who sells it: a network that no route has is not taken", async (t) => {
  const engine = await start(t, [vendorNamed("t-mtn")], { routes: { "t-mtn": { only: { network: ["mtn"] } } } });
  assert.ok(engine.takes(asOrder({ labels: { network: "mtn" } })));
  assert.ok(!engine.takes(asOrder({ labels: { network: "glo" } })));
  assert.ok(!engine.takes(asOrder()));
});

test("what one vendor alone sells is taken while that one is up, whoever else is", async (t) => {
  const [own, other] = [vendorNamed("t-own"), vendorNamed("t-any")];
  const engine = await start(t, [own, other]);
  assert.ok(engine.takes(asOrder({ bound: "t-own" })));
  assert.ok(!engine.takes(asOrder({ bound: "nobody" })));
  own.setReady(false);
  assert.ok(!engine.takes(asOrder({ bound: "t-own" })));
  assert.ok(engine.takes(asOrder()));
});

test("a vendor that is left alone after lost answers takes nothing new", async (t) => {
  const vendor = vendorNamed("t-lost", LOST);
  const engine = await start(t, [vendor]);
  const accountId = await makeCustomer(db);
  for (let caller = 0; caller < 20; caller++)
    await accept(engine, newTopup(accountId, { recipient: `23480312340${caller + 10}` }));
  await waitFor("its circuit to open", () => engine.routes[0]?.circuit === "open");
  assert.ok(!engine.takes(asOrder()));
});

test("a node without connections goes by what is configured", () => {
  const vendor = vendorNamed("t-api");
  vendor.setReady(false);
  const api = makeEngine(db, [vendor], { role: "api", routes: { "t-api": { only: { network: ["mtn"] } } } });
  assert.ok(api.takes(asOrder({ labels: { network: "mtn" } })));
  assert.ok(!api.takes(asOrder({ labels: { network: "glo" } })));
});

test("a bound purchase goes to its own vendor, be it the busier one, and waits for it", async (t) => {
  const [other, own] = [vendorNamed("t-first"), vendorNamed("t-second")];
  const engine = await start(t, [other, own]);
  own.setReady(false);
  const order = await accept(engine, newTopup(await makeCustomer(db), { payload: { bound: "t-second" } }));
  const probe = await accept(engine, newTopup(order.accountId));
  await waitForState(db, probe, "successful");
  own.setReady(true);
  assert.equal((await waitForState(db, order, "successful")).route, "t-second");
  assert.deepEqual(
    other.sent.map(({ orderId }) => orderId),
    [probe.id],
  );
});

test("when its own vendor refuses it, no other has a go: it fails, and says so at once", async (t) => {
  const [other, own] = [vendorNamed("t-else"), vendorNamed("t-sole", refused("route"))];
  const engine = await start(t, [other, own]);
  const order = await accept(engine, newTopup(await makeCustomer(db), { payload: { bound: "t-sole" } }));
  await waitForState(db, order, "failed");
  assert.deepEqual([own.sent.length, other.sent.length], [1, 0]);
});

test("after a refusal here the next of those that sell it has a go, and one that does not is passed over", async (t) => {
  const vendors = [vendorNamed("t-1", refused("route")), vendorNamed("t-2"), vendorNamed("t-3")];
  const engine = await start(t, vendors, {
    routes: {
      "t-1": { only: { network: ["glo"] } },
      "t-2": { only: { network: ["mtn"] } },
      "t-3": { only: { network: ["glo", "mtn"] } },
    },
  });
  const order = await accept(engine, newTopup(await makeCustomer(db), { payload: { labels: { network: "glo" } } }));
  const ended = await waitForState(db, order, "successful");
  assert.equal(ended.route, "t-3");
  assert.equal(vendors[1]?.sent.length, 0);
});
