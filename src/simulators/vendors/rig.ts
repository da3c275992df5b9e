import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { VendorClient } from "./client.ts";
import { VENDORS } from "./registry.ts";
import { type VendorPorts, VendorSimulators } from "./server.ts";

/** All simulated vendors in the test's own process, stopped with it. `aheadMs` is added to the real time. */
export async function testVendors(
  t: Pick<TestContext, "after">,
  options: { readonly dataDir?: string; readonly clock?: { aheadMs: number } } = {},
): Promise<VendorPorts & { readonly client: VendorClient; readonly dataDir: string }> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "afara-vendors-"));
  const { clock = { aheadMs: 0 } } = options;
  const simulators = new VendorSimulators({
    vendors: VENDORS,
    dataDir,
    clock: { now: () => new Date(Date.now() + clock.aheadMs), monotonicMs: () => performance.now() },
    fetch,
  });
  const ports = await simulators.start();
  t.after(async () => {
    await simulators.stop();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  });
  return { ...ports, client: new VendorClient(ports.controlPort, fetch), dataDir };
}
