import { setTimeout as wait } from "node:timers/promises";
import { makePartitions } from "../src/db/partitions.ts";
import { drained, messages } from "./gateway.ts";
import type { GrowthSide } from "./growth-side.ts";
import { openLoop } from "./open-loop.ts";

/** A month that has orders, of every table that still has it. */
const OLD_MONTH = `select name as parent, month as name
  from partitioned_tables, lateral (select name || to_char(now() at time zone 'UTC' - interval '11 months', '_YYYY_MM') as month) m
 where to_regclass(month) is not null order by name`;

/** The farthest month's, which are empty. */
const LAST_MONTH = `select name || to_char(now() at time zone 'UTC' + interval '3 months', '_YYYY_MM') as name
  from partitioned_tables`;

interface Upkeep {
  /** Of load, where it needs more than the others. */
  readonly seconds?: number;
  /** Begun in mid-load. */
  readonly work?: (side: GrowthSide) => Promise<unknown>;
}

/** What goes on with millions of orders stored. */
export const UPKEEP: Readonly<Record<string, Upkeep>> = {
  "no upkeep": {},
  "partitions removed and made": {
    work: async ({ bench: { database } }) => {
      const { rows } = await database.query<{ name: string }>(LAST_MONTH);
      for (const { name } of rows) await database.query(`drop table ${name}`);
      await makePartitions(database);
    },
  },
  // The walk begins anew: each minute, 40,000 orders of the oldest are looked at.
  "a purge": {
    seconds: 75,
    work: ({ bench: { database }, accountId }) =>
      database.query("delete from purge_progress where account_id = $1 and kind = 'texts'", [accountId]),
  },
  "a month detached": {
    work: async ({ bench: { database } }) => {
      const { rows } = await database.query<{ parent: string; name: string }>(OLD_MONTH);
      for (const { parent, name } of rows) await database.query(`alter table ${parent} detach partition ${name}`);
    },
  },
};

/** Times to a committed 202 in open loop, in ms, while one upkeep goes on. */
export async function underUpkeep(
  side: GrowthSide,
  { seconds, work }: Upkeep,
  load: { readonly perSecond: number; readonly seconds: number },
): Promise<{ readonly p50: number; readonly p99: number; readonly failed: number; readonly workMs: number }> {
  const running = openLoop(side.worker.base, { ...load, seconds: seconds ?? load.seconds, requests: messages() });
  await wait((load.seconds * 1_000) / 4);
  const startedMs = performance.now();
  await work?.(side);
  const workMs = performance.now() - startedMs;
  const { p50, p99, failed } = await running;
  await drained(side.bench);
  return { p50, p99, failed, workMs };
}
