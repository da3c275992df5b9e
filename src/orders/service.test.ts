import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import type { FaultCode } from "../kernel/refusal.ts";
import { makeTestDatabase, SILENT } from "../testing/database.ts";
import { makeCustomer, newOrder, newTopup, REAL_CLOCK, waitForState } from "../testing/engine.ts";
import { accept } from "../testing/engine-rig.ts";
import { PARCEL, TOPUP } from "../testing/parcel.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { makeOrders } from "./orders.ts";

const db = (await makeTestDatabase()).open();

const makeBare = (vendor: ScriptedProvider) =>
  makeOrders({
    db,
    node: newUuid(),
    role: "all",
    clock: REAL_CLOCK,
    log: SILENT,
    services: [PARCEL, TOPUP],
    routes: [
      {
        provider: vendor,
        settings: {
          name: vendor.name,
          queues: ["parcel:test", "topup:test"],
          weight: 1,
          window: 10,
          ratePerSecond: 1_000,
        },
      },
    ],
    isSuspended: async () => false,
    leaseSeconds: 30,
  });

test("a service is asked about its own orders alone", async (t) => {
  const vendor = new ScriptedProvider("both");
  vendor.answers(({ service }) => (service === "topup" ? { kind: "done" } : { kind: "unknown", detail: "not asked" }));
  const engine = makeBare(vendor);
  const seen: string[] = [];
  engine.attach([
    {
      definition: PARCEL,
      preSendCheck: async ({ service }) => {
        seen.push(service);
        return { code: "opted_out", detail: "no parcels, please" };
      },
    },
    { definition: TOPUP },
  ]);
  await engine.start([]);
  t.after(() => engine.stop());
  const accountId = await makeCustomer(db);
  const parcel = await accept(engine, newOrder(accountId));
  const topup = await accept(engine, newTopup(accountId, { state: "processing" }));
  await waitForState(db, parcel, "failed");
  await waitForState(db, topup, "successful");
  assert.deepEqual([...new Set(seen)], ["parcel"]);
});

test("a fault of form outranks one that can't be served, whichever service has its code", () => {
  const engine = makeBare(new ScriptedProvider("forms"));
  engine.attach([{ definition: PARCEL, refusals: { fieldCodes: ["sender_form"] } }, { definition: TOPUP }]);
  const codeOf = (...codes: FaultCode[]) => engine.refusalOf(codes.map((code) => ({ code, detail: "" }))).code;
  assert.equal(codeOf("message_too_long", "recipient_opted_out"), "message_too_long");
  assert.equal(codeOf("message_too_long", "sender_form"), "validation_failed");
  assert.equal(codeOf("message_too_long", "required"), "validation_failed");
});

test("an engine does not take services of which one is missing", () => {
  const engine = makeBare(new ScriptedProvider("missing"));
  assert.throws(() => engine.attach([{ definition: PARCEL }]), /service topup is attached/);
});
