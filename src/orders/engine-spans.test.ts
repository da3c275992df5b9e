import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../kernel/ids.ts";
import { firstSpanOf, spanIdOf, traceIdOf } from "../kernel/trace.ts";
import { NO_TRACING } from "../ports/tracing.ts";
import { newOrder } from "../testing/engine.ts";
import { StandingClock } from "../testing/http-rig.ts";
import { ToldSpans } from "../testing/told-spans.ts";
import type { NotAccepted, Unit, UnitAnswer } from "./accept.repo.ts";
import { makeEngineSpans } from "./engine-spans.ts";

function makeSpans() {
  const told = new ToldSpans();
  const clock = new StandingClock();
  return { told, clock, spans: makeEngineSpans(told, { clock })! };
}

const unitOf = (orders: Unit["orders"], group?: Unit["group"]): Unit => ({
  orders,
  leased: false,
  ...(group && { group }),
});
const answered = (...refused: readonly (readonly [number, NotAccepted])[]): UnitAnswer => ({
  refused: new Map(refused),
  begun: false,
});
const made = (more = {}) => newOrder(newUuid(), { requestId: newUuid(), ...more });
const USED_UP: NotAccepted = { kind: "quota", left: 0, period: "2026-11" };

test("an order's acceptance is the first span of its trace, under the span of its request", () => {
  const { told, spans } = makeSpans();
  const order = made();
  spans.accepted(unitOf([order]), answered(), 0);
  assert.partialDeepStrictEqual(told.spans, [
    { ...firstSpanOf(order.id), parentId: spanIdOf(order.requestId!), name: "accept", error: undefined },
  ]);
  assert.equal(told.madeBy.get(order.requestId!), order.id);
});

test("an order that follows another has no request above it", () => {
  const { told, spans } = makeSpans();
  const order = made({ requestId: undefined });
  spans.accepted(unitOf([order]), answered(), 0);
  assert.equal(told.spans[0]?.parentId, undefined);
});

test("an order that was refused is no error, and has no trace: its span is in that of the request", () => {
  const { told, spans } = makeSpans();
  const order = made();
  spans.accepted(unitOf([order]), answered([0, USED_UP]), 0);
  assert.partialDeepStrictEqual(told.spans, [{ traceId: traceIdOf(order.requestId!), error: undefined }]);
  assert.equal(told.spans[0]?.attributes["afara.refused"], "quota");
  assert.equal(told.madeBy.size, 0);
});

test("an order that may have been accepted keeps its trace; one that certainly was not has none", () => {
  for (const [code, isThere] of [
    ["acceptance_unknown", true],
    ["database_unavailable", false],
  ] as const) {
    const { told, spans } = makeSpans();
    const order = made();
    spans.accepted(unitOf([order]), { code }, 0);
    assert.equal(told.spans[0]?.error, code);
    assert.equal(told.spans[0]?.traceId, traceIdOf(isThere ? order.id : order.requestId!));
    assert.equal(told.madeBy.has(order.requestId!), isThere);
  }
});

test("each order of a bulk has a trace that points at the bulk, unless it was refused or is not kept", async () => {
  const { told, clock, spans } = makeSpans();
  const orders = Array.from({ length: 4 }, () => made({ requestId: undefined }));
  const group = { id: newUuid(), payload: {}, completionEvent: "x", keys: [], requestId: newUuid() };
  told.left.add(traceIdOf(orders[2]!.id));
  const sinceMs = clock.monotonicMs();
  clock.advance(40);
  spans.accepted(unitOf(orders, group), answered([1, USED_UP]), sinceMs);
  clock.advance(1_000);
  await Promise.resolve();
  const [bulk, ...each] = told.spans;
  assert.partialDeepStrictEqual(bulk, { ...firstSpanOf(group.id), parentId: spanIdOf(group.requestId) });
  assert.equal(bulk?.attributes["afara.orders"], 4);
  assert.deepEqual(
    each.map(({ traceId, parentId, links }) => [traceId, parentId, links]),
    [orders[0]!, orders[3]!].map(({ id }) => [traceIdOf(id), undefined, [firstSpanOf(group.id)]]),
  );
  assert.equal(told.madeBy.get(group.requestId), group.id);
});

test("a bulk that was refused whole makes one span and no traces", async () => {
  const { told, spans } = makeSpans();
  const group = { id: newUuid(), payload: {}, completionEvent: "x", keys: [], requestId: newUuid() };
  spans.accepted(unitOf([made(), made()], group), answered([-1, USED_UP]), 0);
  await Promise.resolve();
  assert.deepEqual(
    told.spans.map(({ traceId }) => traceId),
    [traceIdOf(group.requestId)],
  );
});

test("of an order that is not kept nothing is told", () => {
  const { told, spans } = makeSpans();
  const order = made();
  told.left.add(traceIdOf(order.id));
  spans.accepted(unitOf([order]), answered(), 0);
  assert.deepEqual(told.spans, []);
});

test("without tracing there is nothing to call", () => {
  const clock = new StandingClock();
  assert.equal(makeEngineSpans(NO_TRACING, { clock }), undefined);
  assert.equal(makeEngineSpans(undefined, { clock }), undefined);
});
