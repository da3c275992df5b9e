import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../kernel/clock.ts";
import type { Metrics } from "../ports/metrics.ts";

/** How often the event loop is looked at. Ten times a second costs nothing and meets most pauses that a request notices. */
const LOOK_MS = 100;
const DELAY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const PACKAGE = join(import.meta.dirname, "../../package.json");
export const versionOf = (): string => (JSON.parse(readFileSync(PACKAGE, "utf8")) as { version: string }).version;

/**
 * The node's process. The delay of the event loop is a histogram that only grows: prom-client's own gauges are reset by each scrape,
 * so that two Prometheus servers spoil each other's, and one of them measures how long the scrape took
 * (prometheus/client_js, issues 370 and 561). Returns how to stop looking.
 */
export function watchProcess(metrics: Metrics, clock: Clock): () => void {
  const delay = metrics.histogram({
    name: "afara_event_loop_delay_seconds",
    help: "How much later than due a timer ran, looked at ten times a second: what every request waits besides its own work.",
    buckets: DELAY_SECONDS,
  });
  metrics.gauge(
    {
      name: "process_resident_memory_bytes",
      help: "Resident memory of the gateway's process.",
    },
    () => [{ value: process.memoryUsage.rss(), labels: [] }],
  );
  metrics.gauge({ name: "nodejs_heap_used_bytes", help: "JavaScript heap in use." }, () => [
    { value: process.memoryUsage().heapUsed, labels: [] },
  ]);
  metrics.gauge(
    { name: "process_start_time_seconds", help: "When the process started, in seconds since 1970." },
    () => [{ value: Math.round(clock.now().getTime() / 1_000 - process.uptime()), labels: [] }],
  );
  metrics.gauge<"version" | "node">(
    { name: "afara_build_info", help: "Always 1; the labels say what runs.", labels: ["version", "node"] },
    () => [{ value: 1, labels: [versionOf(), process.versions.node] }],
  );
  const cpu = metrics.counter({ name: "process_cpu_seconds_total", help: "Processor time of the process." });
  let counted = 0;
  const look = () => {
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    cpu.add(seconds - counted);
    counted = seconds;
  };

  let dueMs = clock.monotonicMs() + LOOK_MS;
  const timer = setInterval(() => {
    const nowMs = clock.monotonicMs();
    delay.observe(Math.max(0, nowMs - dueMs) / 1_000);
    dueMs = nowMs + LOOK_MS;
    look();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
