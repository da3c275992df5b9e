import type pg from "pg";

const EVERY_MS = 20;
const LOOK = {
  name: "bench_waits",
  text: `select coalesce(wait_event_type || ':' || wait_event, 'runs') as at, count(*)::int as sessions from pg_stat_activity
          where state = 'active' and backend_type = 'client backend' and pid <> pg_backend_pid() group by 1`,
};

/** Share of the time of working sessions by what they wait for, the largest first; `runs`: for a processor, or nothing. */
export type Waits = Readonly<Record<string, number>>;

/** Looks at the database's sessions, over a connection that does nothing else, until it is stopped. */
export function sampleWaits(database: pg.Client): { stop(): Promise<Waits> } {
  const seen = new Map<string, number>();
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const { rows } = await database.query<{ at: string; sessions: number }>(LOOK);
      for (const { at, sessions } of rows) seen.set(at, (seen.get(at) ?? 0) + sessions);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await done;
      const all = [...seen.values()].reduce((sum, sessions) => sum + sessions, 0) || 1;
      return Object.fromEntries(
        [...seen].toSorted((a, b) => b[1] - a[1]).map(([at, sessions]) => [at, sessions / all]),
      );
    },
  };
}

export const toldWaits = (waits: Waits): string =>
  Object.entries(waits)
    .slice(0, 4)
    .map(([at, share]) => `${at} ${(share * 100).toFixed(0)} %`)
    .join(", ");

/** Deadlocks of the database since it was made. */
export async function deadlocksIn(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return Number(rows[0]!.deadlocks);
}
