import { startBench } from "./gateway.ts";
import type { BenchOptions, Result } from "./result.ts";
import { median } from "./table.ts";

const RECIPIENTS = 10_000;
const GOAL = 10_000;

/** P4: how fast one bulk of 10,000 recipients is accepted: parsed, checked, priced and committed in one transaction. */
export async function measureBulk({ rounds, progress }: BenchOptions): Promise<Result> {
  const bench = await startBench({ AFARA_ROLE: "api" });
  const rates: number[] = [];
  try {
    for (let round = 0; round <= rounds; round++) {
      const body = { to: numbers(round * RECIPIENTS, RECIPIENTS), message: "We open at nine tomorrow" };
      const startedMs = performance.now();
      const answer = await bench.gateway.call<{ accepted: number }>("POST", "/sms/bulk", body);
      const rate = (RECIPIENTS / (performance.now() - startedMs)) * 1_000;
      if (answer.status !== 202 || answer.body.accepted !== RECIPIENTS)
        throw new Error(`bulk answered ${answer.status}`);
      if (round === 0) continue; // warm-up
      rates.push(rate);
      progress(`P4 ${round}/${rounds}: ${rate.toFixed(0)} recipients a second`);
    }
  } finally {
    await bench.stop();
  }
  const rate = median(rates);
  return {
    id: "P4",
    what: "one bulk of 10,000 recipients accepted and committed",
    goal: `≥ ${GOAL.toLocaleString("en")} recipients a second`,
    reached: rate >= GOAL,
    value: `${Math.round(rate).toLocaleString("en")} a second`,
    figures: { recipientsPerSecond: rates },
  };
}

/** Different Nigerian mobile numbers, from `first` on. */
export const numbers = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `+234803${String(first + index).padStart(7, "0")}`);
