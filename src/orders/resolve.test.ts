import assert from "node:assert/strict";
import { test } from "node:test";
import { SMS } from "../sms/sms.definition.ts";
import { PARCEL, TOPUP } from "../testing/parcel.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import type { Order } from "./order.ts";
import { decideResolved, provableEnds } from "./resolve.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { isFinal, stepFor } from "./steps.ts";

const AT = SMS_ORDER.createdAt;
const PURCHASE: Order = {
  ...SMS_ORDER,
  service: "topup",
  queue: "topup:test",
  state: "processing",
  ambiguity: "requery",
  pieces: null,
  ambiguousAt: AT,
};

const decide = (service: ServiceDefinition, order: Order, as: string) =>
  decideResolved(service, order, { as, proof: "their ledger of that day" }, AT);

for (const [as, money, failure] of [
  ["successful", "post", undefined],
  ["failed", "void", "vendor_failed"],
] as const)
  test(`a purchase that the vendor can't be made to tell of is resolved as ${as}, and its hold is ${money}ed`, () => {
    const decided = decide(TOPUP, PURCHASE, as);
    assert.ok(decided.ok);
    const { after, dueAt, event } = decided.value;
    assert.deepEqual([after.state, decided.value.money, dueAt, event], [as, money, null, `topup.${as}`]);
    assert.equal((after.facts?.failure as { code: string } | undefined)?.code, failure);
  });

test("a purchase that no vendor has yet is not in doubt; one that was begun, or taken and not proven, is", () => {
  const fresh: Order = { ...PURCHASE, state: "queued", ambiguousAt: null };
  assert.equal(decide(TOPUP, fresh, "failed").ok, false);
  assert.equal(decide(TOPUP, { ...fresh, state: "processing", begunAt: AT }, "failed").ok, true);
  assert.equal(decide(TOPUP, { ...PURCHASE, ambiguousAt: null, pieces: [{ status: "taken" }] }, "failed").ok, true);
});

test("an end is one word for one way of the money: whatever answers lead there from a state in doubt agree", () => {
  for (const service of [SMS, PARCEL, TOPUP])
    for (const [state, steps] of Object.entries(service.table.steps)) {
      const order = { ...SMS_ORDER, state };
      if (!(stepFor(service.table, state, "timed_out") || state === PURCHASE.state)) continue;
      for (const [end, answer] of provableEnds(service, order)) {
        assert.ok(isFinal(service.table, end));
        const money = stepFor(service.table, state, answer)?.money;
        for (const [other, step] of Object.entries(steps))
          if (step?.to === end) assert.equal(step.money, money, `${service.service} ${state} × ${other}`);
      }
    }
});
