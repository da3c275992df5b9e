import assert from "node:assert/strict";
import { test } from "node:test";
import { type HrTime, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import { newUuid } from "../kernel/ids.ts";
import { firstSpanOf, newSpanId, traceIdOf } from "../kernel/trace.ts";
import { type LogLine, StandingClock } from "../testing/http-rig.ts";
import { startStopwatch } from "../testing/stopwatch.ts";
import { waitFor } from "../testing/wait-for.ts";
import { BATCH_MAX, SdkTracing, WAITING_MAX } from "./tracing.ts";

type Done = Parameters<SpanExporter["export"]>[1];

/** A collector in memory that answers when it is told to, or at once. */
class Scripted implements SpanExporter {
  readonly spans: ReadableSpan[] = [];
  readonly open: Done[] = [];
  refusals = 0;
  answers: "at once" | "with an error" | "never" = "at once";

  export(spans: ReadableSpan[], done: Done): void {
    if (this.answers === "never") {
      this.open.push(done);
      return;
    }
    if (this.answers === "with an error") {
      this.refusals += 1;
      done({ code: 1, error: new Error("refused") });
      return;
    }
    this.spans.push(...spans);
    done({ code: 0 });
  }
  async forceFlush(): Promise<void> {
    if (this.answers === "never") await new Promise(() => undefined);
  }
  shutdown = () => this.forceFlush();
}

function makeTracing({ ratio = 1 } = {}) {
  const lines: LogLine[] = [];
  const write = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message });
  const log = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  const clock = new StandingClock();
  const exporter = new Scripted();
  const endpoint = "http://127.0.0.1:1";
  const named = { endpoint, serviceName: "afara", version: "1.2.3", node: newUuid() };
  return { tracing: new SdkTracing({ ...named, ratio, clock, log, exporter }), clock, exporter, lines };
}

/** A span of an order of its own. */
const someSpan = () => ({ ...firstSpanOf(newUuid()), name: "accept", sinceMs: 0, attributes: {} });

test("a span has the ids, the times and the attributes that it was told with", async () => {
  const { tracing, clock, exporter } = makeTracing();
  const order = firstSpanOf(newUuid());
  const bulk = firstSpanOf(newUuid());
  const spanId = newSpanId();
  const sinceMs = clock.monotonicMs();
  clock.advance(1_500);
  tracing.record({
    ...order,
    spanId,
    parentId: order.spanId,
    kind: "client",
    name: "send smsc",
    links: [bulk],
    sinceMs,
    attributes: { "afara.outcome": "unknown", "afara.code": undefined },
    error: "unknown",
  });
  await tracing.stop();
  const [span] = exporter.spans;
  assert.ok(span);
  assert.deepEqual([span.spanContext().traceId, span.spanContext().spanId], [order.traceId, spanId]);
  assert.equal(span.parentSpanContext?.spanId, order.spanId);
  assert.deepEqual([span.name, span.kind, span.status.code], ["send smsc", SpanKind.CLIENT, SpanStatusCode.ERROR]);
  assert.deepEqual(span.attributes, { "afara.outcome": "unknown", "error.type": "unknown" });
  assert.partialDeepStrictEqual(span.links[0]?.context, bulk);
  const since = Date.parse("2026-11-27T09:00:00.000Z") / 1_000;
  assert.deepEqual([span.startTime, span.endTime], [
    [since, 0],
    [since + 1, 500_000_000],
  ] satisfies HrTime[]);
  assert.partialDeepStrictEqual(span.resource.attributes, { "service.name": "afara", "service.version": "1.2.3" });
});

test("a first span has no parent, and its name is what the order's id says", async () => {
  const { tracing, exporter } = makeTracing();
  const span = someSpan();
  tracing.record(span);
  await tracing.stop();
  assert.equal(exporter.spans[0]?.parentSpanContext, undefined);
  assert.partialDeepStrictEqual(exporter.spans[0]?.spanContext(), { traceId: span.traceId, spanId: span.spanId });
});

test("every node keeps the same share of all orders", () => {
  const [one, other] = [makeTracing({ ratio: 0.25 }).tracing, makeTracing({ ratio: 0.25 }).tracing];
  const traces = Array.from({ length: 8_000 }, () => traceIdOf(newUuid()));
  const kept = traces.filter((trace) => one.keeps(trace));
  assert.deepEqual(
    traces.filter((trace) => other.keeps(trace)),
    kept,
  );
  // 2,000 ± 39: six standard deviations.
  assert.ok(Math.abs(kept.length - 2_000) < 234, `${kept.length} of 8,000`);
  const { tracing } = makeTracing();
  assert.ok(traces.every((trace) => tracing.keeps(trace)));
});

/** A batch, which is sent at once. */
function fill(tracing: SdkTracing): void {
  for (let count = 0; count < BATCH_MAX; count += 1) tracing.record(someSpan());
}

test("what a collector does not take fills the memory to a bound, and the loss is told", async () => {
  const { tracing, exporter, lines } = makeTracing();
  exporter.answers = "never";
  for (let count = 0; count < WAITING_MAX + 5; count += 1) tracing.record(someSpan());
  exporter.answers = "at once";
  for (const done of exporter.open) done({ code: 0 });
  await waitFor("the rest", () => exporter.spans.length === WAITING_MAX - BATCH_MAX);
  assert.deepEqual(lines, [
    { level: "warn", fields: { lost: 5, error: undefined }, message: "the collector did not take all spans" },
  ]);
  tracing.record(someSpan());
  await tracing.stop();
  assert.equal(exporter.spans.length, WAITING_MAX - BATCH_MAX + 1, "there is room again");
});

test("a collector that refuses is told at once, and then once a minute with how much was lost", async () => {
  const { tracing, clock, exporter, lines } = makeTracing();
  exporter.answers = "with an error";
  const refused = async (times: number) => {
    fill(tracing);
    await waitFor("the refusal", () => exporter.refusals === times);
  };
  await refused(1);
  await refused(2);
  await refused(3);
  assert.deepEqual(
    lines.map(({ fields }) => fields),
    [{ lost: BATCH_MAX, error: "refused" }],
  );
  clock.advance(60_000);
  exporter.answers = "at once";
  fill(tracing);
  await waitFor("the line of what was lost meanwhile", () => lines.length === 2);
  assert.deepEqual(lines[1]?.fields, { lost: 2 * BATCH_MAX, error: undefined });
  clock.advance(60_000);
  fill(tracing);
  await tracing.stop();
  assert.equal(exporter.spans.length, 2 * BATCH_MAX);
  assert.equal(lines.length, 2, "nothing more was lost");
});

test("a stop sends what waits, and does not wait for a collector that hangs", async () => {
  const { tracing, exporter } = makeTracing();
  tracing.record(someSpan());
  await tracing.stop();
  assert.equal(exporter.spans.length, 1);
  const hanging = makeTracing();
  hanging.exporter.answers = "never";
  hanging.tracing.record(someSpan());
  const tookMs = startStopwatch();
  await hanging.tracing.stop();
  assert.ok(tookMs() < 5_000, `${tookMs()} ms`);
  assert.equal(hanging.exporter.open.length, 1, "it was asked");
  hanging.exporter.open[0]?.({ code: 0 }); // ends the SDK's own timer
});

test("a wall clock that is set moves later spans", async () => {
  let [wallMs, monotonicMs] = [1_000_000, 0];
  const clock = { now: () => new Date(wallMs), monotonicMs: () => monotonicMs };
  const { exporter } = makeTracing();
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const named = { endpoint: "http://127.0.0.1:1", serviceName: "afara", version: "1", node: newUuid(), ratio: 1 };
  const tracing = new SdkTracing({ ...named, clock, log, exporter });
  wallMs += 60; // as by NTP: spans keep their order
  tracing.record({ ...someSpan(), sinceMs: 0 });
  wallMs = 5_000_000;
  monotonicMs = 10;
  tracing.record({ ...someSpan(), sinceMs: 0 });
  await tracing.stop();
  assert.deepEqual(
    exporter.spans.map(({ startTime, endTime }) => [startTime, endTime]),
    [
      [
        [1_000, 0],
        [1_000, 0],
      ],
      [
        [4_999, 990_000_000],
        [5_000, 0],
      ],
    ],
  );
});

test("a request's span is asked once for what it made", () => {
  const { tracing } = makeTracing();
  const [request, order] = [newUuid(), newUuid()];
  tracing.made(request, order);
  assert.equal(tracing.takeMade(request), order);
  assert.equal(tracing.takeMade(request), undefined);
});
