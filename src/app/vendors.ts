import type { Config } from "../config/gateway-config.ts";
import type { AdapterNames } from "../config/names.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import { isObject, type Path, type PlacedFault } from "../kernel/place.ts";
import type { Result } from "../kernel/result.ts";
import { meant } from "../kernel/schema-words.ts";
import type { FundingDeps, FundingProvider } from "../ports/funding.ts";
import type { Provider, ProviderDeps } from "../ports/provider.ts";
import { FUNDING_PROVIDERS, PROVIDERS } from "../providers/registry.ts";
import { settingsForNone } from "../simulators/simulators.ts";

/** What `adapter` in the configuration may say, each with the simulator that speaks the same protocol. */
export const ADAPTERS: readonly AdapterNames[] = PROVIDERS;

/** A configuration that can't be built, with all its faults. */
export class ConfigurationFault extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}

/** At least 1.5 times the slowest vendor's answer, although the lease is renewed while an order is pending. */
export const leaseFor = (wantedSeconds: number, providers: readonly Provider[]): number =>
  Math.max(wantedSeconds, ...providers.map(({ answerWithinMs }) => Math.ceil((answerWithinMs * 1.5) / 1_000)));

/** Builds every configured provider, or throws all faults of their settings. */
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

export function buildFunding({ funding }: ConfigFile, { clock, fetch, log }: FundingDeps): FundingProvider | undefined {
  if (!funding) return undefined;
  const definition = FUNDING_PROVIDERS.find(({ adapter }) => adapter === funding.adapter);
  if (!definition) {
    const there = FUNDING_PROVIDERS.map(({ adapter }) => adapter).join(", ");
    throw new ConfigurationFault([`funding.adapter: "${funding.adapter}" is not one; there are ${there}`]);
  }
  const built = definition.build(funding.settings, { clock, fetch, log });
  if (!built.ok) throw new ConfigurationFault(built.error.map((fault) => `funding.settings: ${fault}`));
  return built.value;
}

/** For checking settings: calls and logs nothing. */
const CHECK_ONLY: ProviderDeps = {
  clock: { now: () => new Date(0), monotonicMs: () => 0 },
  log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  fetch: () => Promise.reject(new Error("settings are only checked")),
};

/** Faults of the settings in a configuration of any shape, by each provider's adapter. Starts none. */
export function faultsOfSettings({ providers, funding }: Readonly<Record<string, unknown>>): readonly PlacedFault[] {
  const ofProviders = Object.entries(isObject(providers) ? providers : {}).flatMap(([name, provider]) => {
    if (!isObject(provider) || !isObject(provider.settings)) return [];
    const definition = PROVIDERS.find(({ adapter }) => adapter === provider.adapter);
    // The settings that the adapter's own simulator would give; `faultsOfNames` reports another simulator's name.
    const simulated = provider.simulator === undefined ? {} : settingsForNone(definition?.simulator ?? "");
    const built = definition?.build(name, { ...provider.settings, ...simulated }, CHECK_ONLY);
    return placed(["providers", name, "settings"], built);
  });
  if (!isObject(funding)) return ofProviders;
  const { adapter, settings } = funding;
  const definition = FUNDING_PROVIDERS.find((one) => one.adapter === adapter);
  const ofFunding = isObject(settings) ? placed(["funding", "settings"], definition?.build(settings, CHECK_ONLY)) : [];
  if (definition || typeof adapter !== "string") return [...ofProviders, ...ofFunding];
  const known = FUNDING_PROVIDERS.map((one) => one.adapter);
  return [
    ...ofProviders,
    { path: ["funding", "adapter"], detail: `"${adapter}" is not one. ${meant(adapter, known)}` },
  ];
}

/** An adapter's fault begins with its setting: `apiKey is missing`. */
function placed(path: Path, built: Result<unknown, readonly string[]> | undefined): readonly PlacedFault[] {
  if (!built || built.ok) return [];
  return built.error.map((fault) => {
    const [, setting, detail] = /^([a-z][A-Za-z0-9]*):? (.+)$/s.exec(fault) ?? [];
    return setting === undefined || detail === undefined
      ? { path, detail: fault }
      : { path: [...path, setting], detail };
  });
}
