import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import type { Order } from "../orders/order.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { makeChatPreSendCheck } from "./pre-send-check.ts";

const db = (await makeTestDatabase()).open();
const clock = new StandingClock();
const asked: string[] = [];
const look = makeChatPreSendCheck({
  db,
  clock,
  isOptedOut: async ({ address, channel }) => {
    asked.push(`${address} ${channel}`);
    return true;
  },
});
const order = (payload: object, more: Partial<Order> = {}): Order =>
  ({
    accountId: newUuid(),
    mode: "test",
    service: "chat",
    recipient: "2348031234567",
    createdAt: new Date(clock.now().getTime() - 60_000),
    facts: null,
    payload: { from: "2347000000001", content: { type: "template" }, needs_window: false, ...payload },
    ...more,
  }) as unknown as Order;

test("marketing that waited is looked at again: whoever opted out meanwhile does not get it", async () => {
  assert.equal((await look(order({ category: "marketing" })))?.code, "opted_out");
  assert.equal(
    (await look(order({ category: "marketing" }, { recipient: "NG.13491208655302741918" })))?.code,
    "opted_out",
  );
  assert.deepEqual(asked.splice(0), ["2348031234567 chat", "NG.13491208655302741918 chat"]);
});

test("what is fresh, or no marketing, is not looked at; of a fallback it is what is sent by now that counts", async () => {
  assert.equal(look(order({ category: "marketing" }, { createdAt: clock.now() })), undefined);
  assert.equal(look(order({ category: "utility" })), undefined);
  const fallback = { via: "chat", category: "marketing" };
  assert.equal(look(order({ category: "utility", fallback })), undefined);
  const gone = { facts: { first_way: { left_at: clock.now().toISOString() } } } as unknown as Partial<Order>;
  assert.equal((await look(order({ category: "utility", fallback }, gone)))?.code, "opted_out");
  assert.equal(look(order({ category: "marketing", fallback: { via: "sms" } }, gone)), undefined);
});
