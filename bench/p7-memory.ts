import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startVendors } from "../src/simulators/vendors/spawn.ts";
import { writeTestConfig } from "../src/testing/test-config.ts";
import { residentMBOf } from "./cpu.ts";
import { type Bench, messages, startBench } from "./gateway.ts";
import type { BenchOptions, Result } from "./result.ts";
import { median } from "./table.ts";
import { deadlocksIn } from "./waits.ts";
import { load } from "./wrk.ts";

const CONNECTIONS = 64;
const SLICE_SECONDS = 20;
const SAMPLE_MS = 1_000;
const OTHERS_PER_SECOND = 20;
const GOAL = 1.1;

/** What goes beside the messages, of each other service; `n` counts them, so that no two look like a repeat. */
const OTHERS: readonly ((n: number) => readonly [path: string, body: object])[] = [
  (n) => ["/airtime/topup", { to: phone(n), amount: 500, network: "mtn" }],
  (n) => [
    "/electricity/purchase",
    { meter_number: "11111111111", disco: "eko-electric", amount: 1_000 + (n % 9_000), to: phone(n) },
  ],
  (n) => [
    "/cable/purchase",
    { smartcard_number: String(1_000_000_000 + n), provider: "dstv", kind: "renew", to: phone(n) },
  ],
  (n) => [
    "/chat/send/template",
    { to: phone(n), template: "order_update", language: "en_US", variables: { body: ["Ada", String(n)] } },
  ],
];
const phone = (n: number): string => `0803${String(n % 10_000_000).padStart(7, "0")}`;

/**
 * P7: the resident set of a gateway that does everything, while a number of orders go through it: messages as fast as they are taken, and
 * orders of every other service beside them. The last third of the time is compared with the second; the first is warm-up.
 */
export async function measureMemory({ orders, progress }: BenchOptions): Promise<Result> {
  const wanted = orders[0]!;
  const dir = await mkdtemp(join(tmpdir(), "afara-bench-memory-"));
  const vendors = await startVendors({ dataDir: join(dir, "vendors") });
  const { ports, controlPort } = vendors;
  const config = await writeTestConfig(dir, (own) => ({
    ...own,
    simulators: { ...own.simulators, vendors: { start: false, ports, controlPort } },
  }));
  const bench = await startBench({ AFARA_CONFIG: config.path });
  const residentMB: number[] = [];
  const timer = setInterval(() => residentMB.push(residentMBOf(bench.gateway.pid)), SAMPLE_MS);
  const statuses = new Map<string, number>();
  let taken = 0;
  let deadlocks = 0;
  try {
    for (let others = 0; taken < wanted; ) {
      const [sent] = await Promise.all([
        load(bench.gateway.base, { connections: CONNECTIONS, seconds: SLICE_SECONDS, requests: messages() }),
        orderOthers(bench, SLICE_SECONDS, others, statuses),
      ]);
      others += SLICE_SECONDS * OTHERS_PER_SECOND;
      taken += sent.answers - sent.failed + SLICE_SECONDS * OTHERS_PER_SECOND;
      deadlocks = await deadlocksIn(bench.database);
      progress(`P7: ${taken} of ${wanted} orders, ${residentMB.at(-1)?.toFixed(0)} MB, ${deadlocks} deadlocks`);
    }
  } finally {
    clearInterval(timer);
    await bench.stop();
    await vendors.stop();
    await rm(dir, { recursive: true, force: true });
  }
  const third = Math.floor(residentMB.length / 3);
  const [middle, end] = [median(residentMB.slice(third, 2 * third)), median(residentMB.slice(2 * third))];
  return {
    id: "P7",
    what: `resident set through ${wanted} orders: the last third of the time beside the second`,
    goal: `≤ ${GOAL} of it`,
    reached: end / middle <= GOAL,
    value: `${(end / middle).toFixed(2)} of it, ${end.toFixed(0)} MB`,
    figures: {
      ratio: end / middle,
      largestMB: Math.max(...residentMB),
      orders: taken,
      deadlocks,
      ...Object.fromEntries(statuses),
    },
  };
}

/** Orders of the other services, spread over the seconds; counts what they were answered. */
async function orderOthers({ gateway }: Bench, seconds: number, from: number, statuses: Map<string, number>) {
  const underWay: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let n = from; n < from + seconds * OTHERS_PER_SECOND; n++) {
    const waitMs = startedMs + ((n - from) * 1_000) / OTHERS_PER_SECOND - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const [path, body] = OTHERS[n % OTHERS.length]!(n);
    underWay.push(
      gateway.call("POST", path, { ...body, reference: `memory ${n}` }).then(({ status, body: { code = "" } }) => {
        const name = `${path} answered ${status} ${code}`.trimEnd();
        statuses.set(name, (statuses.get(name) ?? 0) + 1);
      }),
    );
  }
  await Promise.all(underWay);
}
