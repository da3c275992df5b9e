import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Forged, forge } from "./forge.ts";
import { type Bench, drained, messages, startBench } from "./gateway.ts";
import type { BenchOptions, Result } from "./result.ts";
import { median } from "./table.ts";
import { load } from "./wrk.ts";

const CONNECTIONS = 256;
const GOAL = 0.9;
const ASKED = 9;
const AFARA = join(import.meta.dirname, "..", "afara");

/** What subscribers and their portal ask of an account, with the parts of a path that depend on its orders. */
const LOOKS: Readonly<Record<string, (phone: string, reference: string) => string>> = {
  "newest orders": () => "/orders?limit=100",
  "by number": (phone) => `/orders?to=%2B${phone}&limit=100`,
  "by reference": (_, reference) => `/orders?reference=${reference}`,
  "by a rare state": () => "/orders?status=expired&limit=100",
  "by a state that none has": () => "/orders?status=rejected&limit=100",
  "a day half a year ago": () => `/orders?created_after=${daysAgo(180)}&created_before=${daysAgo(179)}&limit=100`,
  statement: () => "/wallet/transactions?limit=100",
  "usage by day": () => `/usage?by=day&from=${daysAgo(30).slice(0, 10)}&to=${daysAgo(0).slice(0, 10)}`,
  events: () => "/events?limit=100",
};

/**
 * P5: the same with millions of orders stored as with none: acceptance, messages to their receipts, what is asked, and the whole check of
 * the ledger. Orders are made by SQL with all that belongs to them, spread over a year, in the account that is measured.
 */
export async function measureGrowth({ seconds, rounds, orders, progress }: BenchOptions): Promise<Result> {
  const bench = await startBench();
  const figures: Record<string, number> = {};
  const ratios: Record<string, number> = {};
  try {
    const { rows } = await bench.database.query<{ id: string }>("select id from accounts");
    let forged: Forged = { accountId: rows[0]!.id, orders: 0 };
    await acceptRate(bench, 3); // warm-up
    for (const stored of [0, ...orders]) {
      if (stored > 0) forged = await forge(bench.database, forged, { to: stored, most: orders.at(-1)!, progress });
      const name = `${stored / 1e6} million`;
      const rates: number[] = [];
      for (let round = 0; round < rounds; round++) rates.push(await acceptRate(bench, seconds));
      figures[`${name}, accepted and sent a second`] = median(rates);
      await drained(bench);
      for (const [look, ms] of Object.entries(await looks(bench, forged.orders))) figures[`${name}, ${look} ms`] = ms;
      const startedMs = performance.now();
      await promisify(execFile)(AFARA, ["ledger", "check"], {
        env: { ...process.env, AFARA_DATA_DIR: bench.gateway.dataDir },
      });
      figures[`${name}, ledger check s`] = (performance.now() - startedMs) / 1_000;
      ratios[name] = median(rates) / figures["0 million, accepted and sent a second"]!;
      progress(
        `P5 ${name} stored: ${median(rates).toFixed(0)}/s (${ratios[name].toFixed(2)} of empty), ledger check ${figures[`${name}, ledger check s`]!.toFixed(0)} s; ${Object.keys(
          LOOKS,
        )
          .map((look) => `${look} ${figures[`${name}, ${look} ms`]!.toFixed(0)} ms`)
          .join(", ")}`,
      );
    }
  } finally {
    await bench.stop();
  }
  const least = Math.min(...Object.values(ratios));
  return {
    id: "P5",
    what: `the rate from request to receipt with ${orders.map((count) => count / 1e6).join(", ")} million orders stored, against none`,
    goal: `≥ ${GOAL} of its rate`,
    reached: least >= GOAL,
    value: `${least.toFixed(2)} of its rate at least`,
    figures: { least, ...figures },
  };
}

/** Messages accepted a second while they are also sent and their receipts recorded. */
const acceptRate = async ({ gateway }: Bench, seconds: number): Promise<number> =>
  (await load(gateway.base, { connections: CONNECTIONS, seconds, requests: messages() })).perSecond;

/** Milliseconds of each look, as the caller has them: the median of some, each about other orders. */
async function looks({ gateway }: Bench, stored: number): Promise<Record<string, number>> {
  const took: Record<string, number> = {};
  for (const [name, pathOf] of Object.entries(LOOKS)) {
    const ms: number[] = [];
    for (let turn = 0; turn < ASKED; turn++) {
      const n = Math.floor((stored * turn) / ASKED);
      const path = pathOf(`234803${String(n).padStart(7, "0")}`, `forged-${n}`);
      const startedMs = performance.now();
      const { status, body } = await gateway.call("GET", path);
      ms.push(performance.now() - startedMs);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    }
    took[name] = median(ms);
  }
  return took;
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
