import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Forged, forge } from "./forge.ts";
import { drained, messages } from "./gateway.ts";
import { askAll, askByCommand } from "./growth-looks.ts";
import { plansOf } from "./growth-plans.ts";
import { GrowthSide } from "./growth-side.ts";
import { UPKEEP, underUpkeep } from "./growth-upkeep.ts";
import type { BenchOptions, Result } from "./result.ts";
import { median } from "./table.ts";
import { load } from "./wrk.ts";

const CONNECTIONS = 256;
const GOAL = 0.9;
const WARM_UP_SECONDS = 3;
/** What figures are extrapolated to, on the line through the smallest and the largest number that was measured. */
const FAR_MILLIONS = 50;
/** Share of the rate to the SMSC at which upkeep is tried. */
const UPKEEP_SHARE = 0.5;
const PLANS = join(import.meta.dirname, "plans.txt");

type Note = (figure: string, value: number, shown: string) => void;

/**
 * P5: the same with millions of orders stored as with none. A gateway that has them and an empty one take turns, so that a machine that
 * drifts touches both: messages carried to the SMSC (P2's load), acceptance by an `api` node (P1's), and whatever subscribers, the portal
 * and the command line ask. Then start, backup and the check of the ledger with their memory, and upkeep under load. Orders are made by
 * SQL with all that belongs to them, spread over a year, in the account that is measured.
 */
export async function measureGrowth({ seconds, rounds, orders, progress }: BenchOptions): Promise<Result> {
  const full = await GrowthSide.start();
  const figures: Record<string, number> = {};
  const ratios: number[] = [];
  let forged: Forged = { accountId: full.accountId, orders: 0 };
  let perSecond = 0;
  try {
    await full.startWorker();
    await warmUp(full);
    for (const stored of orders) {
      const note: Note = (figure, value, shown) => {
        figures[`${stored / 1e6} million, ${figure}`] = value;
        progress(`P5 ${stored / 1e6} million, ${figure}: ${shown}`);
      };
      await full.stopWorker();
      forged = await forge(full.bench.database, forged, { to: stored, most: orders.at(-1)!, progress });
      const storedGB = (await full.bytes()) / 1e9;
      note("GB of the database", storedGB, storedGB.toFixed(2));
      const started = await full.startWorker();
      note("start s", started.seconds, `${started.seconds.toFixed(1)} s, ${started.residentMB.toFixed(0)} MB`);
      const empty = await GrowthSide.start();
      try {
        await empty.startWorker();
        // Both: a process that has just started is slower, and the full one's has.
        await warmUp(empty);
        await warmUp(full);
        for (const looks of [askAll, askByCommand]) {
          const [ofEmpty, ofFull] = [await looks(empty, 0), await looks(full, forged.orders)];
          for (const [name, ms] of Object.entries(ofFull))
            note(name, ms, `${ms.toFixed(1)}, empty ${ofEmpty[name]!.toFixed(1)}`);
        }
        const sides = [empty, full] as const;
        for (const [name, rateOf] of Object.entries(RATES)) {
          if (name === "accepted") await Promise.all(sides.map((side) => side.stopWorker()));
          const rates: (readonly [ofEmpty: number, ofFull: number])[] = [];
          for (let round = 0; round < rounds; round++)
            rates.push([await rateOf(empty, seconds), await rateOf(full, seconds)]);
          const [ofEmpty, ofFull] = [median(rates.map(([rate]) => rate)), median(rates.map(([, rate]) => rate))];
          const ratio = median(rates.map(([without, withAll]) => withAll / without));
          const each = rates.map(([without, withAll]) => (withAll / without).toFixed(2)).join(", ");
          note(`${name}/s`, ofFull, `${ofFull.toFixed(0)}, empty ${ofEmpty.toFixed(0)}`);
          note(`${name}, of empty`, ratio, `${ratio.toFixed(2)} (${each})`);
          ratios.push(ratio);
          if (name === "to the SMSC") perSecond = ofFull;
        }
        await full.startWorker();
        await drained(full.bench);
      } finally {
        await empty.stop();
      }
      for (const [name, take] of Object.entries(COMMANDS)) {
        const took = await take(full);
        note(`${name} s`, took.seconds, `${took.seconds.toFixed(1)} s, ${took.residentMB.toFixed(0)} MB`);
        note(`${name} MB`, took.residentMB, took.residentMB.toFixed(0));
      }
      progress("P5: plans …");
      writeFileSync(PLANS, await plansOf(full, forged.orders));
    }
    for (const [name, upkeep] of Object.entries(UPKEEP)) {
      const { p50, p99, failed, workMs } = await underUpkeep(full, upkeep, {
        perSecond: perSecond * UPKEEP_SHARE,
        seconds,
      });
      Object.assign(figures, { [`${name} p50 ms`]: p50, [`${name} p99 ms`]: p99, [`${name} failed`]: failed });
      progress(
        `P5 ${name}: ${workMs.toFixed(0)} ms; 202 after p50 ${p50.toFixed(0)}, p99 ${p99.toFixed(0)} ms; ${failed} failed`,
      );
    }
    Object.assign(figures, extrapolated(figures, orders));
  } finally {
    await full.stop();
  }
  const least = Math.min(...ratios);
  return {
    id: "P5",
    what: `carried to the SMSC, and accepted, with ${orders.map((count) => count / 1e6).join(", ")} million orders stored, against none`,
    goal: `≥ ${GOAL} of its rate`,
    reached: least >= GOAL,
    value: `${least.toFixed(2)} of its rate at least`,
    figures: { least, ...figures },
  };
}

async function warmUp({ worker, bench }: GrowthSide): Promise<void> {
  await load(worker.base, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS, requests: messages() });
  await drained(bench);
}

/** Messages a second. The second has no node that sends. */
const RATES: Readonly<Record<string, (side: GrowthSide, seconds: number) => Promise<number>>> = {
  "to the SMSC": async ({ worker, bench }, seconds) => {
    const startedMs = performance.now();
    const { answers } = await load(worker.base, { connections: CONNECTIONS, seconds, requests: messages() });
    await drained(bench);
    return (answers * 1_000) / (performance.now() - startedMs);
  },
  accepted: async ({ bench }, seconds) =>
    (await load(bench.gateway.base, { connections: CONNECTIONS, seconds, requests: messages() })).perSecond,
};

const COMMANDS: Readonly<Record<string, (side: GrowthSide) => ReturnType<GrowthSide["command"]>>> = {
  "ledger check": (side) => side.command("ledger", "check"),
  backup: (side) => side.backup(),
};

/** What grows with the orders by its nature; whatever is looked up by a key differs between two sizes by chance alone. */
const GROWING = ["GB of the database", "start s", ...Object.keys(COMMANDS).map((name) => `${name} s`)];

/** By name and `50 million`. */
function extrapolated(figures: Readonly<Record<string, number>>, orders: readonly number[]): Record<string, number> {
  const [small, large] = [orders[0]! / 1e6, orders.at(-1)! / 1e6];
  if (small === large) return {};
  return Object.fromEntries(
    GROWING.map((figure) => {
      const [first, last] = [small, large].map((millions) => figures[`${millions} million, ${figure}`]!);
      const slope = (last! - first!) / (large - small);
      return [`${FAR_MILLIONS} million (extrapolated), ${figure}`, last! + slope * (FAR_MILLIONS - large)];
    }),
  );
}
