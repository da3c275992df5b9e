import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import type { Unseal } from "./service.ts";

const database = await makeTestDatabase();
const db = database.open();

/** Backwards is secret enough. */
const unseal: Unseal = ({ payload }) => {
  const { sealed } = payload as { sealed: string };
  if (sealed === "garbled") throw new Error("it was tampered with");
  return { text: [...sealed].reverse().join("") };
};

test("a sealed payload is opened for the vendor alone, and stays sealed where it is stored", async (t) => {
  const carrier = new ScriptedProvider("sealed");
  const texts: unknown[] = [];
  carrier.answers((task, piece) => {
    texts.push(task.payload);
    return carrier.accept(task, piece);
  });
  const engine = await startEngine(t, db, [carrier], { hooks: { unseal } });
  const order = await accept(engine, newOrder(await makeCustomer(db), { payload: { sealed: "terces" } }));
  const sent = await waitForState(db, order, "sent");
  assert.deepEqual(texts, [{ text: "secret" }]);
  assert.deepEqual(sent.payload, { sealed: "terces" });
});

test("an order whose payload can't be opened is not sent: it fails with payload_unreadable, and its price goes back", async (t) => {
  const carrier = new ScriptedProvider("unreadable");
  const engine = await startEngine(t, db, [carrier], { hooks: { unseal } });
  const order = await accept(engine, newOrder(await makeCustomer(db), { payload: { sealed: "garbled" } }));
  const failed = await waitForState(db, order, "failed");
  assert.deepEqual(failed.facts?.failure, {
    code: "payload_unreadable",
    detail: "The stored order could not be read for sending.",
  });
  assert.deepEqual(carrier.sent, []);
  assert.deepEqual(await engineFindings(database.connection), []);
});
