import type { Log } from "../kernel/log.ts";
import { SmscClient } from "./smsc/client.ts";
import { type SmscProcess, type SmscProcessOptions, startSmsc } from "./smsc/spawn.ts";

/** The SMSC simulator as the gateway runs it: in a process of its own, started again at the same ports when it dies. */
export interface SupervisedSmsc {
  readonly smppPort: number;
  readonly client: SmscClient;
  /** Not started again any more: the gateway is ending, and whoever signalled it may have signalled the simulator too. */
  retire(): void;
  stop(): Promise<void>;
}

const RESTART_MS = 500;

export async function superviseSmsc(
  options: SmscProcessOptions,
  log: Log,
  fetchIt: typeof fetch,
): Promise<SupervisedSmsc> {
  let running: SmscProcess = await startSmsc(options);
  let stopping = false;
  const { smppPort, controlPort } = running;

  const watch = (): void => {
    void running.ended.then(async () => {
      while (!stopping) {
        log.warn({ smppPort }, "the SMSC simulator ended; starting it again");
        await new Promise((resolve) => setTimeout(resolve, RESTART_MS));
        if (stopping) return;
        try {
          running = await startSmsc({ ...options, smppPort, controlPort });
          if (stopping) await running.stop();
          else watch();
          return;
        } catch (error) {
          log.error({ error: (error as Error).message }, "the SMSC simulator did not start");
        }
      }
    });
  };
  watch();

  return {
    smppPort,
    client: new SmscClient(controlPort, fetchIt, options.host),
    retire() {
      stopping = true;
    },
    async stop() {
      stopping = true;
      await running.stop();
    },
  };
}
