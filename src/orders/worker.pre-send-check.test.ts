import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTestDatabase } from "../testing/database.ts";
import { engineFindings, makeCustomer, newOrder, waitForState } from "../testing/engine.ts";
import { accept, startEngine } from "../testing/engine-rig.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import type { PreSendCheck } from "./service-definition.ts";

const database = await makeTestDatabase();
const db = database.open();

test("what a service's last look finds unfit is not sent: it fails with the reason, and its price goes back", async (t) => {
  const carrier = new ScriptedProvider("look");
  const preSendCheck: PreSendCheck = ({ recipient }) =>
    recipient === "2348031000001" ? Promise.resolve({ code: "opted_out", detail: "They said STOP." }) : undefined;
  const engine = await startEngine(t, db, [carrier], { hooks: { preSendCheck } });
  const accountId = await makeCustomer(db);
  const unfit = await accept(engine, newOrder(accountId, { recipient: "2348031000001" }));
  const fit = await accept(engine, newOrder(accountId, { recipient: "2348031000002" }));
  const failed = await waitForState(db, unfit, "failed");
  assert.deepEqual(failed.facts?.failure, { code: "opted_out", detail: "They said STOP." });
  await waitForState(db, fit, "sent");
  assert.deepEqual(
    carrier.sent.map(({ orderId }) => orderId),
    [fit.id],
  );
  assert.deepEqual(await engineFindings(database.connection), []);
});
