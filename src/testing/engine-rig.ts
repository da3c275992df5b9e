import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Database } from "../db/database.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import type { Orders } from "../orders/orders.ts";
import type { Provider } from "../ports/provider.ts";
import { type EngineOptions, makeEngine } from "./engine.ts";

/** A node for the length of a test. */
export async function startEngine(
  t: TestContext,
  db: Database,
  providers: readonly Provider[],
  options?: EngineOptions,
): Promise<Orders> {
  const engine = makeEngine(db, providers, options);
  await engine.start([]);
  t.after(() => engine.stop());
  return engine;
}

/** Accepts an order that must be accepted. */
export async function accept(engine: Orders, order: NewOrder): Promise<NewOrder> {
  assert.deepEqual(await engine.accept(order), { ok: true, value: { kind: "accepted" } });
  return order;
}
