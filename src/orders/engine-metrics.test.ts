import assert from "node:assert/strict";
import { test } from "node:test";
import { AIRTIME } from "../airtime/airtime.definition.ts";
import type { Db } from "../db/database.ts";
import { newUuid } from "../kernel/ids.ts";
import { MemoryMetrics } from "../observability/metrics.ts";
import { SMS } from "../sms/sms.definition.ts";
import { makeTestDatabase } from "../testing/database.ts";
import { watchStanding } from "./engine-metrics.ts";
import { readUndecided } from "./standing.repo.ts";

const db = (await makeTestDatabase()).open();
const NOW = new Date();
const MINUTE = 60_000;
const clock = { now: () => NOW, monotonicMs: () => 0 };

interface Row {
  readonly service: string;
  readonly ageMs: number;
  readonly unknown?: boolean;
  readonly ended?: boolean;
  readonly due?: boolean;
  readonly priceKobo?: number;
}

async function store({
  service,
  ageMs,
  unknown = false,
  ended = false,
  due = true,
  priceKobo = 500,
}: Row): Promise<void> {
  const created = new Date(NOW.getTime() - ageMs);
  await db.query(
    `insert into orders (account_id, id, mode, service, queue, state, priority, due_at, ambiguity, attempt, route, ambiguous_at,
                         price_kobo, tax_kobo, recipient, payload, created_at, updated_at, ended_at)
     values ($1, $2, 'live', $3, $3 || ':live', 'any', 0, case when $4 then $6::timestamptz end,
             case when $3 = 'sms' then 'fail' else 'requery' end, 1, 'vendor', case when $5 then $6::timestamptz end,
             $7, 0, '2348031234567', '{}', $6, $6, case when $8 then $6::timestamptz end)`,
    [newUuid(), newUuid(), service, due, unknown, created, priceKobo, ended],
  );
}

/** What a scrape reads, by the metric's name. */
async function standing(): Promise<ReadonlyMap<string, readonly string[]>> {
  const metrics = new MemoryMetrics();
  const load = () => ({ inFlight: 3, queued: 2, accepting: 1 });
  watchStanding(metrics, { db, clock, routes: [], services: [SMS, AIRTIME], load });
  const read = metrics.all.map(async ({ name, read: lines }) => {
    const values = (await lines()).map(({ labels, value }) => `${Object.values(labels).join(" ")}: ${value}`);
    return [name, values.toSorted()] as const;
  });
  return new Map(await Promise.all(read));
}

test("undecided orders stand by their age: open purchases, and messages whose answer was lost", async () => {
  await store({ service: "airtime", ageMs: MINUTE });
  await store({ service: "airtime", ageMs: MINUTE, unknown: true });
  await store({ service: "airtime", ageMs: 10 * MINUTE });
  await store({ service: "airtime", ageMs: 25 * 60 * MINUTE, unknown: true, priceKobo: 10_000 });
  await store({ service: "airtime", ageMs: MINUTE, ended: true });
  await store({ service: "sms", ageMs: 2 * 60 * MINUTE, unknown: true });
  await store({ service: "sms", ageMs: MINUTE });
  const now = await standing();
  assert.deepEqual(now.get("afara_undecided_orders"), [
    "airtime vendor live 5m_to_1h: 1",
    "airtime vendor live over_1d: 1",
    "airtime vendor live under_5m: 2",
    "sms vendor live 1h_to_1d: 1",
  ]);
  assert.deepEqual(now.get("afara_undecided_orders_kobo"), [
    "airtime vendor live 5m_to_1h: 500",
    "airtime vendor live over_1d: 10000",
    "airtime vendor live under_5m: 1000",
    "sms vendor live 1h_to_1d: 500",
  ]);
  assert.deepEqual(now.get("afara_unknown_outcomes"), ["airtime live: 2", "sms live: 1"]);
  assert.deepEqual(now.get("afara_orders_in_memory"), ["accepting: 1", "in_flight: 3", "queued: 2"]);
});

test("what stands is found by the indexes of what is open, never by a scan of the orders", async () => {
  await db.query(
    `insert into orders (account_id, id, mode, service, queue, state, priority, ambiguity, price_kobo, tax_kobo, recipient, payload,
                         created_at, updated_at, ended_at)
     select gen_random_uuid(), $1::uuid, 'live', 'airtime', 'airtime:live', 'successful', 0, 'requery', 500, 0, '2348031234567', '{}',
            now(), now(), now() from generate_series(1, 5000)`,
    [newUuid()],
  );
  await db.query("analyze orders");
  const explain: Db["query"] = (statement, values) =>
    db.query(`explain ${(statement as { text: string }).text}`, values);
  const rows: readonly unknown[] = await readUndecided({ query: explain }, ["airtime"], NOW);
  const plan = rows.map((row) => (row as Record<string, string>)["QUERY PLAN"]).join("\n");
  // Partitions without rows are read as they come.
  const month = NOW.toISOString().slice(0, 7).replace("-", "_");
  assert.doesNotMatch(plan, new RegExp(`Seq Scan on orders_${month}`));
  assert.match(plan, new RegExp(`Index Scan using orders_${month}_queue`));
});
