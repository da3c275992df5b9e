import type { Db } from "../db/database.ts";
import { placedAt } from "../events/position.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Mode } from "../kernel/mode.ts";
import { remembered } from "../kernel/remembered.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { Outcome } from "./outcome.ts";
import { readStanding } from "./standing.repo.ts";

/** From a receiver beside us to the time limit of an attempt. */
const ATTEMPT_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Counts attempts, and shows how far deliveries are behind. Returns what counts one attempt. */
export function watchWebhooks(
  metrics: Metrics,
  { db, clock }: { readonly db: Db; readonly clock: Clock },
): (mode: Mode, outcome: Outcome) => void {
  const attempts = metrics.counter<"mode" | "outcome">({
    name: "afara_webhook_attempts_total",
    help: "Attempts to deliver an event: delivered, or why not.",
    labels: ["mode", "outcome"],
  });
  const seconds = metrics.histogram<"mode">({
    name: "afara_webhook_attempt_duration_seconds",
    help: "From connecting to a webhook endpoint until its answer.",
    labels: ["mode"],
    buckets: ATTEMPT_SECONDS,
  });
  const standing = remembered(clock, () => readStanding(db));
  metrics.gauge<"mode" | "status">(
    {
      name: "afara_webhook_endpoints",
      help: "Webhook endpoints by status. failing: active, and its latest attempts failed. 10,000 are looked at.",
      labels: ["mode", "status"],
    },
    async () => (await standing()).map(({ mode, status, endpoints }) => ({ value: endpoints, labels: [mode, status] })),
  );
  metrics.gauge<"mode" | "status">(
    {
      name: "afara_webhook_waiting_deliveries",
      help: "Events that wait for another attempt.",
      labels: ["mode", "status"],
    },
    async () => (await standing()).map(({ mode, status, waiting }) => ({ value: waiting, labels: [mode, status] })),
  );
  metrics.gauge<"mode" | "status">(
    {
      name: "afara_webhook_lag_seconds",
      help: "Age of the oldest event that an active endpoint has not been sent yet. Failed events count as waiting deliveries instead.",
      labels: ["mode", "status"],
    },
    async () =>
      (await standing())
        .filter(({ status }) => status === "active" || status === "failing")
        .map(({ mode, status, oldest }) => ({
          value: oldest === null ? 0 : Math.max(0, (clock.now().getTime() - placedAt(oldest).getTime()) / 1_000),
          labels: [mode, status],
        })),
  );
  return (mode, { error, durationMs }) => {
    attempts.add(1, mode, error ?? "delivered");
    seconds.observe(durationMs / 1_000, mode);
  };
}
