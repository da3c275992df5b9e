import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { SmscFaults } from "./faults.ts";
import { type LogLine, readSmscLog, type SubmitLine } from "./log.ts";
import { Smsc, type SmscOptions } from "./server.ts";

/** A directory that goes with the test. */
export function temporaryDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "afara-smsc-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** An SMSC in the test's own process, stopped with it. Receipts come after 20 ms unless `faults` say otherwise. */
export async function testSmsc(
  t: TestContext,
  { faults, ...options }: Partial<SmscOptions> & { readonly faults?: Partial<SmscFaults> } = {},
): Promise<{ readonly smsc: Smsc; readonly port: number; readonly dataDir: string }> {
  const dataDir = options.dataDir ?? temporaryDir(t);
  const clock = { now: () => new Date(), monotonicMs: () => performance.now() };
  const smsc = new Smsc({ clock, host: "127.0.0.1", port: 0, ...options, dataDir });
  smsc.setFaults({ receiptDelayMs: 20, ...faults });
  const port = await smsc.start();
  t.after(() => smsc.stop());
  return { smsc, port, dataDir };
}

/** What `found` finds, looked for every few milliseconds. Fails after 30 s. */
export async function eventually<T>(found: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const value = await found();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`did not come about within 30 s: ${found}`);
    await delay(5);
  }
}

export async function loggedLines(dataDir: string): Promise<LogLine[]> {
  return await Array.fromAsync(readSmscLog(dataDir));
}

export const submitLine = (more: Partial<SubmitLine> = {}): SubmitLine => ({
  kind: "submit",
  at: "2026-11-27T12:00:00.000Z",
  systemId: "esme",
  status: 0,
  messageId: "1001",
  source: "AFARA",
  destination: "2348031234567",
  esmClass: 0,
  dataCoding: 0,
  registeredDelivery: 1,
  shortMessage: "68656c6c6f",
  outcome: "DELIVRD",
  receipts: ["DELIVRD"],
  ...more,
});
