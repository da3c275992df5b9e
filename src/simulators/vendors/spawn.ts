import { type SimulatorProcess, startChild } from "../child.ts";
import type { VendorPorts } from "./server.ts";

export interface VendorProcessOptions {
  readonly dataDir: string;
  readonly host?: string;
  /** By vendor; 0 or absent: a free one. */
  readonly ports?: Readonly<Record<string, number>>;
  readonly controlPort?: number;
  /** False: it outlives this process. */
  readonly exitWithParent?: boolean;
}

export type VendorProcess = SimulatorProcess & VendorPorts;

/** Starts the simulators of all vendors in a process of their own. */
export async function startVendors(options: VendorProcessOptions): Promise<VendorProcess> {
  const { dataDir, host = "127.0.0.1", ports = {}, controlPort = 0, exitWithParent = true } = options;
  const { ready, ...child } = await startChild<VendorPorts>({
    name: "the vendors' simulator",
    main: new URL("./main.ts", import.meta.url),
    args: [
      `--data=${dataDir}`,
      `--host=${host}`,
      `--control-port=${controlPort}`,
      ...Object.entries(ports).map(([vendor, port]) => `--port=${vendor}:${port}`),
    ],
    // What it keeps is on disk.
    heapMegabytesMax: 256,
    exitWithParent,
  });
  return { ...child, ports: ready.ports, controlPort: ready.controlPort };
}
