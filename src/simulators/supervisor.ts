import type { Log } from "../kernel/log.ts";
import type { SimulatorProcess } from "./child.ts";
import { SmscClient } from "./smsc/client.ts";
import { type SmscProcessOptions, startSmsc } from "./smsc/spawn.ts";
import { VendorClient } from "./vendors/client.ts";
import { startVendors, type VendorProcessOptions } from "./vendors/spawn.ts";

/** A simulator as the gateway runs it: in a process of its own, started again at the same ports when it dies. */
export interface Supervised {
  /** Stops restarting it: the gateway is ending, and its signal may have reached the simulator too. */
  retire(): void;
  stop(): Promise<void>;
}

export interface SupervisedSmsc extends Supervised {
  readonly smppPort: number;
  readonly client: SmscClient;
}

export interface SupervisedVendors extends Supervised {
  /** Of the process that runs just now, for those who end it on purpose. */
  pid(): number;
  /** By vendor. */
  readonly ports: Readonly<Record<string, number>>;
  readonly client: VendorClient;
}

export async function superviseSmsc(
  options: SmscProcessOptions,
  log: Log,
  fetchIt: typeof fetch,
): Promise<SupervisedSmsc> {
  const first = await startSmsc(options);
  const { smppPort, controlPort } = first;
  const again = () => startSmsc({ ...options, smppPort, controlPort });
  const client = new SmscClient(controlPort, fetchIt, options.host);
  return { smppPort, client, ...supervise("the SMSC simulator", first, again, log) };
}

export async function superviseVendors(
  options: VendorProcessOptions,
  log: Log,
  fetchIt: typeof fetch,
): Promise<SupervisedVendors> {
  const first = await startVendors(options);
  const { ports, controlPort } = first;
  const again = () => startVendors({ ...options, ports, controlPort });
  const client = new VendorClient(controlPort, fetchIt, options.host);
  return { ports, client, ...supervise("the vendors' simulator", first, again, log) };
}

const RESTART_MS = 500;

function supervise(
  name: string,
  first: SimulatorProcess,
  again: () => Promise<SimulatorProcess>,
  log: Log,
): Supervised & Pick<SupervisedVendors, "pid"> {
  let running = first;
  let stopping = false;

  const watch = (): void => {
    void running.ended.then(async () => {
      while (!stopping) {
        log.warn({ simulator: name }, "a simulator ended; starting it again");
        await new Promise((resolve) => setTimeout(resolve, RESTART_MS));
        if (stopping) return;
        try {
          running = await again();
          if (stopping) await running.stop();
          else watch();
          return;
        } catch (error) {
          log.error({ simulator: name, error: (error as Error).message }, "a simulator did not start");
        }
      }
    });
  };
  watch();

  return {
    retire() {
      stopping = true;
    },
    async stop() {
      stopping = true;
      await running.stop();
    },
    pid: () => running.pid,
  };
}
