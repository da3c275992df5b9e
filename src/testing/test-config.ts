import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigFile } from "../config/operator-file.ts";
import { freePort } from "./gateway.ts";

export interface TestConfig {
  /** For `AFARA_CONFIG`. */
  readonly path: string;
  /** Where the SMSC simulator's control API listens: faults, statistics, handsets. */
  readonly controlPort: number;
  /** Where it speaks SMPP: for others that bind to the same one. */
  readonly smppPort: number;
  /** Where the control API of the simulated vendors listens: scenarios, vends, phones, meters. */
  readonly vendorsControlPort: number;
}

/**
 * The project's own configuration with the simulators at ports that are known beforehand, written into the data
 * directory. `change` makes further differences, e.g. a narrower window.
 */
export async function writeTestConfig(
  dataDir: string,
  change: (config: ConfigFile) => ConfigFile = (config) => config,
): Promise<TestConfig> {
  const { default: own } = await import("../../afara.config.ts");
  const [smppPort, controlPort, vendorsControlPort] = [await freePort(), await freePort(), await freePort()];
  const simulators = { smsc: { smppPort, controlPort }, vendors: { controlPort: vendorsControlPort } };
  const config = change({ ...own, simulators });
  const path = join(dataDir, "test.config.mjs");
  await writeFile(path, `export default ${JSON.stringify(config, null, 2)};\n`);
  return { path, controlPort, smppPort, vendorsControlPort };
}
