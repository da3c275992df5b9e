import type { Config } from "./config.ts";
import { type ConfigFile, faultsOfConfig } from "./config-file.ts";
import type { FundingDeps, FundingProvider } from "./providers/funding.ts";
import type { Provider, ProviderDeps } from "./providers/provider.ts";
import { FUNDING_PROVIDERS, PROVIDERS } from "./providers/registry.ts";
import { settingsForNone } from "./simulators/simulators.ts";

/** What `adapter` in the configuration may say. */
export const ADAPTERS: readonly string[] = PROVIDERS.map(({ adapter }) => adapter);

/** A configuration that can't be built, with everything that is wrong with it. */
export class ConfigurationFault extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}

/** The lease outlasts the slowest vendor's answer with half as much to spare, although it is renewed while an order is under way. */
export const leaseFor = (wantedSeconds: number, providers: readonly Provider[]): number =>
  Math.max(wantedSeconds, ...providers.map(({ answerWithinMs }) => Math.ceil((answerWithinMs * 1.5) / 1_000)));

/** Builds every provider that is configured, or throws all that is wrong with their settings. */
export function buildProviders(
  config: Config,
  { clock, log, fetch, inSlices }: ProviderDeps,
  settingsFor: (simulator: string) => object,
): ReadonlyMap<string, Provider> {
  const providers = new Map<string, Provider>();
  const faults: string[] = [];
  for (const [name, { adapter, simulator, settings }] of Object.entries(config.file.providers)) {
    const definition = PROVIDERS.find((candidate) => candidate.adapter === adapter);
    const built = definition?.build(name, simulator ? { ...settings, ...settingsFor(simulator) } : settings, {
      clock,
      log,
      fetch,
      ...(inSlices && { inSlices }),
    });
    if (built?.ok) providers.set(name, built.value);
    else for (const fault of built?.error ?? []) faults.push(`providers.${name}.settings: ${fault}`);
  }
  if (faults.length > 0) throw new ConfigurationFault(faults);
  return providers;
}

export function buildFunding({ funding }: ConfigFile, { fetch, log }: FundingDeps): FundingProvider | undefined {
  if (!funding) return undefined;
  const definition = FUNDING_PROVIDERS.find(({ adapter }) => adapter === funding.adapter);
  if (!definition) {
    const there = FUNDING_PROVIDERS.map(({ adapter }) => adapter).join(", ");
    throw new ConfigurationFault([`funding.adapter: "${funding.adapter}" is not one; there are ${there}`]);
  }
  const built = definition.build(funding.settings, { fetch, log });
  if (!built.ok) throw new ConfigurationFault(built.error.map((fault) => `funding.settings: ${fault}`));
  return built.value;
}

/** Everything that is wrong with the settings of the providers, if the rest of the file can be read. Starts none of them. */
export function faultsOfProviders(config: Config, deps: ProviderDeps): readonly string[] {
  if (faultsOfConfig(config.file, ADAPTERS).length > 0) return [];
  try {
    buildProviders(config, deps, settingsForNone);
    buildFunding(config.file, { ...deps, fetch });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationFault) return error.faults;
    throw error;
  }
}
