import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Uuid } from "../kernel/ids.ts";
import { SMS_ORDER } from "../testing/sms-order.ts";
import { makeFairQueue } from "./fair-queue.ts";
import { type Order, PRIORITY } from "./order.ts";

const orderOf = (account: string, priority: number, id: string): Order => ({
  ...SMS_ORDER,
  accountId: account as Uuid,
  id: id as Uuid,
  priority,
});

/** Everything that comes out, in order. */
function emptied(orders: readonly Order[]): readonly string[] {
  const queue = makeFairQueue();
  for (const order of orders) queue.push(order);
  const ids: string[] = [];
  for (let next = queue.next(); next; next = queue.next()) ids.push(next.id);
  return ids;
}

test("a single message overtakes the bulks that came before it", () => {
  const bulk = Array.from({ length: 3 }, (_, index) => orderOf("ada", PRIORITY.bulkTransactional, `bulk ${index}`));
  const otp = orderOf("ada", PRIORITY.singleTransactional, "otp");
  assert.deepEqual(emptied([...bulk, otp]), ["otp", "bulk 0", "bulk 1", "bulk 2"]);
});

test("within a class the accounts take turns, and each account's orders leave as they came", () => {
  const orders = ["a1", "a2", "a3", "b1", "b2", "c1"].map((id) => orderOf(id[0]!, 0, id));
  assert.deepEqual(emptied(orders), ["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("an account that comes late does not wait for the whole of another's backlog", () => {
  const queue = makeFairQueue();
  for (let index = 0; index < 100; index++) queue.push(orderOf("ada", 0, `a${index}`));
  queue.next();
  queue.push(orderOf("obi", 0, "b0"));
  assert.deepEqual([queue.next()?.id, queue.next()?.id], ["a1", "b0"]);
});

test("looking at the next order leaves it in", () => {
  const queue = makeFairQueue();
  assert.equal(queue.peek(), undefined);
  queue.push(orderOf("ada", 2, "a"));
  assert.deepEqual(
    [queue.peek()?.id, queue.peek()?.id, queue.size, queue.next()?.id, queue.size],
    ["a", "a", 1, "a", 0],
  );
});

test("draining takes everything out, and the queue goes on", () => {
  const queue = makeFairQueue();
  for (const id of ["a1", "b1", "a2"]) queue.push(orderOf(id[0]!, 1, id));
  assert.deepEqual(
    queue
      .drain()
      .map((order) => order.id)
      .toSorted(),
    ["a1", "a2", "b1"],
  );
  assert.deepEqual([queue.size, queue.next()], [0, undefined]);
  queue.push(orderOf("a", 1, "a3"));
  assert.equal(queue.next()?.id, "a3");
});

test("whatever goes in comes out once, no class before a better one, nobody twice while another waits", () => {
  const anyOrders = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(3)), { maxLength: 60 });
  fc.assert(
    fc.property(anyOrders, (given) => {
      const orders = given.map(([account, priority], index) => orderOf(account, priority, `${index}`));
      const out = emptied(orders).map((id) => orders[Number(id)]!);
      assert.equal(new Set(out).size, orders.length);
      for (const [index, order] of out.entries()) {
        const next = out[index + 1];
        if (!next) continue;
        assert.ok(next.priority >= order.priority);
        const waits = out
          .slice(index + 2)
          .some((one) => one.priority === order.priority && one.accountId !== order.accountId);
        if (next.priority === order.priority && next.accountId === order.accountId) assert.ok(!waits, "not in turn");
      }
    }),
  );
});
