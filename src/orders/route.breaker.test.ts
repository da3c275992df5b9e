import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../ports/provider.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { waitFor } from "../testing/wait-for.ts";
import type { NewOrder } from "./accept.repo.ts";

const database = await makeTestDatabase();
const db = database.open();

const UNKNOWN: Outcome = { kind: "unknown", detail: "no answer" };
const provesItself = async () => assert.deepEqual(await engineFindings(database.connection), []);

test("lost answers in a row open the breaker: the vendor is left alone, orders wait, and one of them tries the water later", async (t) => {
  const carrier = new ScriptedProvider("j1");
  carrier.answers(() => UNKNOWN);
  const engine = await startEngine(t, db, [carrier], { routes: { j1: { window: 5 } } });
  const [route] = engine.routes;
  const accountId = await makeCustomer(db);
  const lost = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      accept(engine, newOrder(accountId, { recipient: `23480312345${10 + index}` })),
    ),
  );
  for (const order of lost) await waitForState(db, order, "unknown", "failed");
  assert.equal(route?.circuit, "open");
  const waiting = await Promise.all(Array.from({ length: 10 }, () => accept(engine, newOrder(accountId))));
  assert.equal(carrier.sent.length, 20);

  // Half-open: a single order goes and is held; the rest wait for what becomes of it.
  let letGo: (outcome: Outcome) => void = () => undefined;
  carrier.answers(() => new Promise<Outcome>((resolve) => (letGo = resolve)));
  await waitFor("one to try the water", () => carrier.sent.length > 20);
  assert.equal(carrier.sent.length, 21);
  const scout = carrier.sent[20]!;
  carrier.answers((task, piece) => carrier.accept(task, piece));
  letGo(carrier.accept({ orderId: scout.orderId as NewOrder["id"], attempt: scout.attempt }, 0));
  for (const order of waiting) await waitForState(db, order, "sent");
  assert.equal(route?.circuit, "closed");
  await provesItself();
});

test("one recipient whose messages are swallowed, however many, does not shut the route for the others", async (t) => {
  const carrier = new ScriptedProvider("j2");
  const SWALLOWED = "2348000000005";
  carrier.answers((task, piece) => (task.recipient === SWALLOWED ? UNKNOWN : carrier.accept(task, piece)));
  const engine = await startEngine(t, db, [carrier]);
  const accountId = await makeCustomer(db);
  const lost = await Promise.all(
    Array.from({ length: 60 }, () => accept(engine, newOrder(accountId, { recipient: SWALLOWED }))),
  );
  for (const order of lost) await waitForState(db, order, "unknown", "failed");
  assert.equal(engine.routes[0]?.circuit, "closed");
  await waitForState(db, await accept(engine, newOrder(await makeCustomer(db))), "sent");
  await provesItself();
});
