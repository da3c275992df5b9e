import { type SimulatorProcess, startChild } from "../child.ts";

export interface SmscProcessOptions {
  readonly dataDir: string;
  readonly host?: string;
  /** 0 or absent: a free one. */
  readonly smppPort?: number;
  readonly controlPort?: number;
  /** Passwords by system id; without any, every system id may bind. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** False: it outlives this process. */
  readonly exitWithParent?: boolean;
}

interface SmscPorts {
  readonly smppPort: number;
  readonly controlPort: number;
}

export type SmscProcess = SimulatorProcess & SmscPorts;

/**
 * What the simulator keeps is bounded and needs half of this; without a limit the collector lets the process grow to several
 * times as much before it looks.
 */
const HEAP_MEGABYTES_MAX = 512;

/** Starts the simulator in a process of its own. Resolves when it listens; rejects with what it said when it ends before. */
export async function startSmsc(options: SmscProcessOptions): Promise<SmscProcess> {
  const { dataDir, host = "127.0.0.1", smppPort = 0, controlPort = 0, accounts = {}, exitWithParent = true } = options;
  const { ready, ...child } = await startChild<SmscPorts>({
    name: "the SMSC simulator",
    main: new URL("./main.ts", import.meta.url),
    args: [
      `--data=${dataDir}`,
      `--host=${host}`,
      `--port=${smppPort}`,
      `--control-port=${controlPort}`,
      ...Object.entries(accounts).map(([systemId, password]) => `--account=${systemId}:${password}`),
    ],
    heapMegabytesMax: HEAP_MEGABYTES_MAX,
    exitWithParent,
  });
  return { ...child, smppPort: ready.smppPort, controlPort: ready.controlPort };
}
