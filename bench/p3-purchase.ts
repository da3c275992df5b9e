import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lagosMinuteDigits } from "../src/kernel/lagos.ts";
import { startVendors } from "../src/simulators/vendors/spawn.ts";
import { TEST_KEY } from "../src/testing/gateway.ts";
import { writeTestConfig } from "../src/testing/test-config.ts";
import { startBench } from "./gateway.ts";
import type { BenchOptions, Result } from "./result.ts";
import { median, percentile } from "./table.ts";

const PER_SECOND = 50;
const GOAL = { p50: 5, p99: 30 };

/**
 * P3: what the gateway adds to a purchase: from the request for airtime to its answer with the vendor's outcome, against the same
 * purchase asked of the vendor's simulator directly. Requests leave at a steady rate, however long the answers take.
 */
export async function measurePurchase({ seconds, rounds, progress }: BenchOptions): Promise<Result> {
  const dir = await mkdtemp(join(tmpdir(), "afara-bench-vendors-"));
  const vendors = await startVendors({ dataDir: join(dir, "vendors") });
  const { ports, controlPort } = vendors;
  const config = await writeTestConfig(dir, (own) => ({
    ...own,
    simulators: { ...own.simulators, vendors: { start: false, ports, controlPort } },
  }));
  const bench = await startBench({ AFARA_CONFIG: config.path });
  const direct = () => buyAt(`http://127.0.0.1:${ports.vtpass}/api/pay`, VENDOR_KEYS, vendorBody, "000");
  const through = () => buyAt(`${bench.gateway.base}/airtime/topup`, { "x-api-key": TEST_KEY }, ourBody, "successful");
  const ours: number[][] = [];
  const theirs: number[][] = [];
  try {
    progress("P3: warming up …");
    await atRate(direct, 2);
    await atRate(through, 4);
    for (let round = 1; round <= rounds; round++) {
      theirs.push(await atRate(direct, seconds));
      ours.push(await atRate(through, seconds));
      progress(`P3 ${round}/${rounds}: direct ${told(theirs.at(-1)!)}, through Afara ${told(ours.at(-1)!)}`);
    }
  } finally {
    await bench.stop();
    await vendors.stop();
    await rm(dir, { recursive: true, force: true });
  }
  const added = (share: number) =>
    median(ours.map((round, index) => percentile(round, share) - percentile(theirs[index]!, share)));
  const [p50, p99] = [added(0.5), added(0.99)];
  return {
    id: "P3",
    what: `a purchase, request to outcome, ${PER_SECOND} a second, beside the same at the vendor's simulator`,
    goal: `adds p50 ≤ ${GOAL.p50} ms, p99 ≤ ${GOAL.p99} ms`,
    reached: p50 <= GOAL.p50 && p99 <= GOAL.p99,
    value: `adds p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    figures: {
      addedP50: p50,
      addedP99: p99,
      afaraP50: ours.map((round) => median(round)),
      afaraP99: ours.map((round) => percentile(round, 0.99)),
      directP50: theirs.map((round) => median(round)),
      directP99: theirs.map((round) => percentile(round, 0.99)),
    },
  };
}

const told = (round: readonly number[]): string =>
  `p50 ${median(round).toFixed(1)} ms, p99 ${percentile(round, 0.99).toFixed(1)} ms`;

const VENDOR_KEYS = { "api-key": "simulated-api-key", "secret-key": "SK_simulated" };

/** To a phone of its own each: vendor and gateway both ask about what looks like a repeat. */
let bought = 0;
const nextPhone = (): string => `0803${String(++bought).padStart(7, "0")}`;

const ourBody = () => ({ to: nextPhone(), amount: 500, network: "mtn", reference: `bench ${bought}` });
const vendorBody = () => ({
  serviceID: "mtn",
  amount: 500,
  phone: nextPhone(),
  request_id: `${lagosMinuteDigits(new Date())}bench${bought}`,
});

/** Milliseconds from the request to the whole answer, which must say that it was delivered. */
async function buyAt(
  url: string,
  headers: Readonly<Record<string, string>>,
  bodyOf: () => object,
  success: string,
): Promise<number> {
  const body = JSON.stringify(bodyOf());
  const startedMs = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  const text = await response.text();
  const tookMs = performance.now() - startedMs;
  assert.ok(text.includes(`"${success}"`), text);
  return tookMs;
}

/** One every 20 ms. */
async function atRate(buy: () => Promise<number>, seconds: number): Promise<number[]> {
  const startedMs = performance.now();
  const running = Array.from({ length: seconds * PER_SECOND }, async (_, index) => {
    const atMs = startedMs + (index * 1_000) / PER_SECOND;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - performance.now())));
    return buy();
  });
  return Promise.all(running);
}
