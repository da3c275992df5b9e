import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "../ports/provider.ts";
import { purchaseWaits } from "../purchases/purchase.waits.ts";
import { SILENT } from "../testing/database.ts";
import { TOPUP } from "../testing/parcel.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { decideBegin } from "./decide.ts";
import type { Change, Order } from "./order.ts";
import type { Recorder } from "./recorder.ts";
import { makeRoute } from "./route.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { Worker } from "./worker.ts";

const AT = new Date("2026-11-27T09:00:00.000Z");
const CLOCK = { now: () => new Date(AT.getTime() + 20_000), monotonicMs: () => 20_000 };
const PURCHASE: ServiceDefinition = { ...TOPUP, purchaseWaits };
const FRESH: Order = {
  ...SMS_ORDER,
  mode: "live",
  service: "topup",
  queue: "topup:live",
  state: "queued",
  ambiguity: "requery",
  version: 1,
  attempt: 0,
  route: null,
  pieces: null,
  expiresAt: new Date(AT.getTime() + 900_000),
  leasedUntil: new Date(AT.getTime() + 60_000),
};
const BEGUN = decideBegin({
  service: PURCHASE,
  order: FRESH,
  route: "slow",
  pieceCount: 1,
  at: AT,
  attemptReference: "our-1",
}).after;

/** What comes of a question at a vendor for whose answer the operator waits so long. */
async function asked(answerWithinMs: number): Promise<Change | undefined> {
  const vendor = new ScriptedProvider("slow");
  vendor.requeried(() => ({ kind: "not_found", detail: "no such reference" }));
  const provider: Provider = Object.assign(vendor, { answerWithinMs });
  const settings = { name: "slow", queues: ["topup:live"], weight: 1, window: 1, ratePerSecond: 1 };
  const route = makeRoute(settings, provider, CLOCK);
  let change: Change | undefined;
  const recorder: Recorder = {
    apply: async () => true,
    async settle(_, order, decide) {
      change = decide(order);
      return change?.after;
    },
    idle: async () => undefined,
  };
  const worker = new Worker({
    clock: CLOCK,
    log: SILENT,
    services: new Map([["topup", PURCHASE]]),
    routes: [route],
    recorder,
    reports: { hint: async () => undefined },
    isSuspended: async () => false,
    hooksOf: () => ({}),
  });
  await worker.requery({ order: BEGUN, mayStillSend: () => true }, route);
  return change;
}

for (const [answerWithinMs, seconds] of [
  [60_000, 90],
  [300_000, 450],
] as const)
  test(`a call that was never heard, at a vendor that may take ${answerWithinMs / 1_000} s, is not repeated for ${seconds} s`, async () => {
    const change = await asked(answerWithinMs);
    assert.deepEqual(
      [change?.dueAt, change?.after.pieces],
      [new Date(AT.getTime() + seconds * 1_000), [{ status: "open" }]],
    );
  });
