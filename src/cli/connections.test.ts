import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import type { NodeRoute } from "../orders/nodes.repo.ts";
import { connectionText, isConnected } from "./connections.ts";

const told = (ready: boolean, detail: string | null = null, minute = 0): NodeRoute => ({
  node: newUuid(),
  route: "vendor",
  ready,
  detail,
  contact: null,
  reachedAt: null,
  since: new Date(Date.UTC(2026, 10, 27, 9, minute)),
});

test("where all nodes are connected, their number is all there is to say", () => {
  assert.equal(connectionText([told(true), told(true)]), "ready on 2 of 2 nodes");
  assert.equal(connectionText([]), "no node is running");
});

test("a node that is not connected is named by its reason and since when, the longest first", () => {
  const away = told(false, "connect ECONNREFUSED 10.0.0.1:2775", 5);
  assert.equal(
    connectionText([away]),
    "not connected since 2026-11-27T09:05:00.000Z: connect ECONNREFUSED 10.0.0.1:2775",
  );
  assert.equal(
    connectionText([away, told(false, null, 7), told(true)]),
    "ready on 1 of 3 nodes; not connected since 2026-11-27T09:05:00.000Z: connect ECONNREFUSED 10.0.0.1:2775; and 1 more",
  );
});

test("a vendor that the circuit breaker leaves alone is connected, and the reason is shown", () => {
  const leftAlone = told(true, "circuit open: answers were lost");
  assert.equal(connectionText([leftAlone]), "ready on 1 of 1 nodes; circuit open: answers were lost");
  assert.ok(isConnected([leftAlone]));
});

test("connected is what every node is, and somebody must be there to be it", () => {
  assert.deepEqual([[told(true)], [told(true), told(false)], []].map(isConnected), [true, false, false]);
});
