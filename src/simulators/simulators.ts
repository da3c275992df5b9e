import { join } from "node:path";
import type { Log } from "../kernel/log.ts";
import { SmscClient } from "./smsc/client.ts";
import { type Supervised, superviseSmsc, superviseVendors } from "./supervisor.ts";
import { VendorClient } from "./vendors/client.ts";

/** Where a simulator is, as the configuration has it. */
interface Place {
  /** False: it runs elsewhere (another node started it), at the ports given. */
  readonly start?: boolean;
  readonly host?: string;
  readonly controlPort?: number;
}

export interface SimulatorsOptions {
  readonly smsc?: Place & { readonly smppPort?: number };
  readonly vendors?: Place & { readonly ports?: Readonly<Record<string, number>> };
  /**
   * False on a node that dispatches nothing: what it started would be asked by nobody. It reaches those of another node, if they
   * are at fixed ports.
   */
  readonly mayStart: boolean;
  readonly dataDir: string;
  readonly log: Log;
  readonly fetch: typeof fetch;
}

/** All that stands in for the world in test mode. */
export interface Simulators extends Supervised {
  /** What a provider's settings must say for it to reach the simulator of this name, `smsc` or a vendor. */
  settingsFor(simulator: string): Readonly<Record<string, unknown>>;
  /** Undefined: none is configured, or it is another node's at ports that this one can't know. */
  readonly smsc: SmscClient | undefined;
  readonly vendors: VendorClient | undefined;
  /** Tells the vendors where to call back. `simulated`: which simulator stands behind the provider of a name. */
  callBackTo(origin: string, simulated: ReadonlyMap<string, string>): Promise<void>;
}

/** The process that a simulator runs in, by its name under `simulators` in the configuration. */
export const simulatorGroup = (simulator: string): "smsc" | "vendors" => (simulator === "smsc" ? "smsc" : "vendors");

/** A port where nothing is: of a simulator that is not there. 9 is the discard service, which `fetch` refuses to call. */
const NO_PORT = 9;

/** Settings for a look at the configuration, with nothing started. */
export const settingsForNone = (simulator: string): Readonly<Record<string, unknown>> =>
  settingsAt(simulator, undefined, undefined);

export async function startSimulators(options: SimulatorsOptions): Promise<Simulators> {
  const [smsc, vendors] = await Promise.all([startSmscAt(options), startVendorsAt(options)]);
  return {
    settingsFor: (simulator) => settingsAt(simulator, smsc, vendors),
    smsc: smsc?.client,
    vendors: vendors?.client,
    async callBackTo(origin, simulated) {
      for (const [provider, simulator] of simulated)
        if (simulatorGroup(simulator) === "vendors")
          await vendors?.client?.callbackUrl(simulator, `${origin}/callbacks/${provider}`).catch((error: Error) =>
            // It runs elsewhere and is not up yet: without callbacks its orders are polled.
            options.log.warn({ simulator, error: error.message }, "a simulated vendor doesn't know where to call back"),
          );
    },
    retire() {
      smsc?.retire();
      vendors?.retire();
    },
    async stop() {
      await Promise.all([smsc?.stop(), vendors?.stop()]);
    },
  };
}

interface Running<Client> extends Supervised {
  readonly host: string;
  readonly ports: Readonly<Record<string, number>>;
  readonly client: Client | undefined;
}

function settingsAt(
  simulator: string,
  smsc: Pick<Running<SmscClient>, "host" | "ports"> | undefined,
  vendors: Pick<Running<VendorClient>, "host" | "ports"> | undefined,
): Readonly<Record<string, unknown>> {
  const isSmsc = simulatorGroup(simulator) === "smsc";
  const { host = "127.0.0.1", ports = {} } = (isSmsc ? smsc : vendors) ?? {};
  const port = ports[simulator] || NO_PORT;
  return isSmsc ? { host, port } : { baseUrl: `http://${host}:${port}` };
}

const ELSEWHERE: Supervised = { retire: () => undefined, stop: async () => undefined };

async function startSmscAt(options: SimulatorsOptions): Promise<Running<SmscClient> | undefined> {
  if (!options.smsc) return undefined;
  const { start = true, host = "127.0.0.1", smppPort = 0, controlPort = 0 } = options.smsc;
  if (!start || !options.mayStart) {
    const client = controlPort === 0 ? undefined : new SmscClient(controlPort, options.fetch, host);
    return { ...ELSEWHERE, host, ports: { smsc: smppPort }, client };
  }
  const dataDir = join(options.dataDir, "smsc");
  const running = await superviseSmsc({ dataDir, host, smppPort, controlPort }, options.log, options.fetch);
  return { ...running, host, ports: { smsc: running.smppPort } };
}

async function startVendorsAt(options: SimulatorsOptions): Promise<Running<VendorClient> | undefined> {
  if (!options.vendors) return undefined;
  const { start = true, host = "127.0.0.1", ports = {}, controlPort = 0 } = options.vendors;
  if (!start || !options.mayStart) {
    const client = controlPort === 0 ? undefined : new VendorClient(controlPort, options.fetch, host);
    return { ...ELSEWHERE, host, ports, client };
  }
  const dataDir = join(options.dataDir, "vendors");
  return { host, ...(await superviseVendors({ dataDir, host, ports, controlPort }, options.log, options.fetch)) };
}
