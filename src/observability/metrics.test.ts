import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryMetrics, OVERFLOW, SERIES_MAX } from "./metrics.ts";
import { makeScraper } from "./scrape.ts";

const SILENT = { warn: () => undefined };
const textOf = async (metrics: MemoryMetrics): Promise<readonly string[]> => {
  const scrape = makeScraper({ metrics: () => metrics.all, clock: { monotonicMs: () => 0 }, log: SILENT });
  return (await scrape()).text.split("\n").filter((line) => line !== "" && !/^#|afara_unread/.test(line));
};

test("a histogram's buckets hold all that is below them, and what is above all is in +Inf and the sum", async () => {
  const metrics = new MemoryMetrics();
  const seconds = metrics.histogram<"provider">({
    name: "a_seconds",
    help: "A.",
    labels: ["provider"],
    buckets: [0.1, 1],
  });
  for (const value of [0.1, 0.5, 0.05, 7]) seconds.observe(value, "x");
  assert.deepEqual(await textOf(metrics), [
    'a_seconds_bucket{provider="x",le="0.1"} 2',
    'a_seconds_bucket{provider="x",le="1"} 3',
    'a_seconds_bucket{provider="x",le="+Inf"} 4',
    'a_seconds_sum{provider="x"} 7.65',
    'a_seconds_count{provider="x"} 4',
  ]);
});

test("a counter without labels is 0 before it counts, so that its first increase is one", async () => {
  const metrics = new MemoryMetrics();
  const counter = metrics.counter({ name: "a_total", help: "A." });
  assert.deepEqual(await textOf(metrics), ["a_total 0"]);
  counter.add(1);
  assert.deepEqual(await textOf(metrics), ["a_total 1"]);
});

test("a label that takes any value fills no memory: beyond a bound all is counted as other", async () => {
  const metrics = new MemoryMetrics();
  const counter = metrics.counter<"path">({ name: "a_total", help: "A.", labels: ["path"] });
  for (let count = 0; count < SERIES_MAX * 10; count += 1) counter.add(1, `p${count}`);
  const lines = await textOf(metrics);
  assert.equal(lines.length, SERIES_MAX + 1);
  assert.equal(lines.at(-1), `a_total{path="${OVERFLOW}"} ${SERIES_MAX * 9}`);
});

test("quotes, backslashes and newlines in a label are escaped", async () => {
  const metrics = new MemoryMetrics();
  metrics.gauge<"of">({ name: "a", help: "A.", labels: ["of"] }, () => [{ value: 1, labels: ['q"\\\n'] }]);
  assert.deepEqual(await textOf(metrics), ['a{of="q\\"\\\\\\n"} 1']);
});

test("a metric that can't be read is left out, said so, and keeps nothing else from being read", async () => {
  const metrics = new MemoryMetrics();
  const warned: object[] = [];
  metrics.gauge({ name: "unreachable", help: "A." }, () => Promise.reject(new Error("no database")));
  metrics.gauge({ name: "here", help: "A." }, () => [{ value: 2, labels: [] }]);
  const log = { warn: (fields: object) => void warned.push(fields) };
  const { text } = await makeScraper({ metrics: () => metrics.all, clock: { monotonicMs: () => 0 }, log })();
  assert.match(text, /^here 2$/m);
  assert.match(text, /^afara_unread_metrics 1$/m);
  assert.ok(!text.includes("unreachable"));
  assert.deepEqual(warned, [{ metric: "unreachable", error: "no database" }]);
});

test("many scrapers at once and in a row share one reading", async () => {
  const metrics = new MemoryMetrics();
  let reads = 0;
  let nowMs = 0;
  metrics.gauge({ name: "a", help: "A." }, () => {
    reads += 1;
    return [{ value: reads, labels: [] }];
  });
  const scrape = makeScraper({ metrics: () => metrics.all, clock: { monotonicMs: () => nowMs }, log: SILENT });
  await Promise.all(Array.from({ length: 50 }, scrape));
  nowMs = 1_999;
  await scrape();
  assert.equal(reads, 1);
  nowMs = 2_000;
  await scrape();
  assert.equal(reads, 2);
});

test("a name that two parts take is a mistake of ours, found at the start", () => {
  const metrics = new MemoryMetrics();
  metrics.counter({ name: "a_total", help: "A." });
  assert.throws(() => metrics.counter({ name: "a_total", help: "A." }), /a_total is registered twice/);
});
