import { LABELS } from "../app/services.ts";
import { isObject, type Path, type PlacedFault } from "../kernel/place.ts";
import { meant } from "../kernel/schema-words.ts";
import { simulatorGroup } from "../simulators/simulators.ts";

/** A provider's name stands in rows and in links. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** An adapter that a provider may name, and the simulator that speaks the same protocol. */
export interface AdapterNames {
  readonly adapter: string;
  readonly simulator?: string;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Contradictions within a configuration: unknown names, duplicate names, ports that collide. Checked whatever else is wrong, so that
 * all faults are reported together; values of the wrong shape are skipped here.
 */
export function faultsOfNames(
  config: unknown,
  adapters: readonly AdapterNames[],
  ownPort: number,
): readonly PlacedFault[] {
  const { limits, providers, routes, services, simulators } = fieldsOf(config);
  return [
    ...faultsOfLimits(fieldsOf(limits), fieldsOf(services)),
    ...faultsOfProviders(fieldsOf(providers), fieldsOf(simulators), adapters),
    ...faultsOfRoutes(listOf(routes), fieldsOf(providers), fieldsOf(services)),
    ...Object.entries(fieldsOf(services)).flatMap(([name, service]) =>
      faultsOfPlans(listOf(fieldsOf(service).plans), ["services", name, "plans"]),
    ),
    ...faultsOfPorts(fieldsOf(simulators), simulatorsOf(adapters), ownPort),
  ];
}

/** What every key may do, whatever its plan. */
const GENERAL_LIMITS = ["read", "manage"];

/** A misspelt limit leaves the intended one at 0. */
function faultsOfLimits(limits: Fields, services: Fields): readonly PlacedFault[] {
  const plans = Object.values(services).flatMap((service) => listOf(fieldsOf(service).plans));
  const known = new Set([...GENERAL_LIMITS, ...plans.flatMap((plan) => Object.keys(fieldsOf(fieldsOf(plan).limits)))]);
  return Object.keys(limits)
    .filter((name) => !known.has(name))
    .map((name) => ({ path: ["limits", name], detail: `is no limit that there is. ${meant(name, GENERAL_LIMITS)}` }));
}

/** An unknown label or value would silently match no order. */
const faultsOfLabels = (only: Fields, path: Path): readonly PlacedFault[] =>
  Object.entries(only).flatMap(([label, words]): readonly PlacedFault[] => {
    const known = LABELS.get(label);
    if (known === undefined)
      return [{ path: [...path, label], detail: `is not a label of orders. ${meant(label, [...LABELS.keys()])}` }];
    return listOf(words).flatMap((word, index) =>
      typeof word !== "string" || known.includes(word)
        ? []
        : [{ path: [...path, label, index], detail: `"${word}" is not a ${label}. ${meant(word, known)}` }],
    );
  });

const simulatorsOf = (adapters: readonly AdapterNames[]): readonly string[] =>
  adapters.flatMap(({ simulator }) => simulator ?? []);

function faultsOfProviders(
  providers: Fields,
  simulators: Fields,
  adapters: readonly AdapterNames[],
): readonly PlacedFault[] {
  const names = adapters.map(({ adapter }) => adapter);
  const simulated = simulatorsOf(adapters);
  return Object.entries(providers).flatMap(([name, provider]) => {
    const { adapter, simulator } = fieldsOf(provider);
    const faults: PlacedFault[] = [];
    const at = (field: string): Path => ["providers", name, field];
    if (!NAME.test(name))
      faults.push({
        path: ["providers", name],
        detail: "can't be a name: write lower-case letters, digits and hyphens, a letter first, 40 characters at most.",
      });
    if (typeof adapter === "string" && !names.includes(adapter))
      faults.push({ path: at("adapter"), detail: `"${adapter}" is not an adapter. ${meant(adapter, names)}` });
    if (typeof simulator !== "string") return faults;
    if (!simulated.includes(simulator)) {
      const detail = `"${simulator}" is not a simulator. ${meant(simulator, simulated)}`;
      return [...faults, { path: at("simulator"), detail }];
    }
    const own = adapters.find((one) => one.adapter === adapter)?.simulator;
    if (own !== undefined && own !== simulator)
      faults.push({
        path: at("simulator"),
        detail: `"${simulator}" does not speak what the adapter "${String(adapter)}" does; its simulator is "${own}".`,
      });
    const group = simulatorGroup(simulator);
    if (!isObject(simulators[group]))
      faults.push({
        path: at("simulator"),
        detail: `"${group}" is not among simulators, so none would be started; add simulators: { ${group}: {} }.`,
      });
    return faults;
  });
}

function faultsOfRoutes(routes: readonly unknown[], providers: Fields, services: Fields): readonly PlacedFault[] {
  const first = new Map<string, number>();
  return routes.flatMap((route, index) => {
    const { provider, service, modes, only } = fieldsOf(route);
    const at = (field: string): Path => ["routes", index, field];
    const faults: PlacedFault[] = [...faultsOfLabels(fieldsOf(only), at("only"))];
    if (typeof provider === "string" && !Object.hasOwn(providers, provider))
      faults.push({
        path: at("provider"),
        detail: `"${provider}" is not among providers. ${meant(provider, Object.keys(providers))}`,
      });
    if (typeof service === "string" && !Object.hasOwn(services, service))
      faults.push({
        path: at("service"),
        detail: `"${service}" is not among services. ${meant(service, Object.keys(services))}`,
      });
    if (typeof provider !== "string") return faults;
    const simulator = fieldsOf(providers[provider]).simulator;
    if (simulator !== undefined && listOf(modes).includes("live"))
      faults.push({
        path: at("modes"),
        detail: `"${provider}" is a simulator, so live orders must not go there: take "live" out.`,
      });
    if (isObject(providers[provider]) && simulator === undefined && listOf(modes).includes("test"))
      faults.push({
        path: at("modes"),
        detail: `"${provider}" is a real vendor, so test orders must not go there: take "test" out.`,
      });
    const key = `${provider} ${String(service)}`;
    const before = first.get(key);
    if (before === undefined) first.set(key, index);
    else
      faults.push({
        path: ["routes", index],
        detail: `is a second route of "${provider}" for ${String(service)}, after routes[${before}]; put its modes and labels into that one.`,
      });
    return faults;
  });
}

function faultsOfPlans(plans: readonly unknown[], path: Path): readonly PlacedFault[] {
  const first = new Map<unknown, number>();
  let free: number | undefined;
  return plans.flatMap((plan, index) => {
    const { id, fee } = fieldsOf(plan);
    const faults: PlacedFault[] = [];
    const before = first.get(id);
    if (typeof id === "string" && before !== undefined)
      faults.push({
        path: [...path, index, "id"],
        detail: `"${id}" is the id of plans[${before}] too; each plan needs an id of its own.`,
      });
    else first.set(id, index);
    // An account that can't pay falls back to it, so there must be one choice only.
    if (typeof fee !== "string" || !/^\d+(\.\d+)?$/.test(fee) || Number(fee) !== 0) return faults;
    if (free !== undefined)
      faults.push({
        path: [...path, index, "fee"],
        detail: `plans[${free}] is free already; one plan at most is free.`,
      });
    free ??= index;
    return faults;
  });
}

/** Ports of the simulators that are started on this machine. 0: a free one each. */
function faultsOfPorts(
  { smsc, vendors }: Fields,
  simulators: readonly string[],
  ownPort: number,
): readonly PlacedFault[] {
  const known = simulators.filter((simulator) => simulatorGroup(simulator) === "vendors");
  const wanted: (readonly [path: Path, port: unknown])[] = [
    [["simulators", "smsc", "smppPort"], fieldsOf(smsc).smppPort],
    [["simulators", "smsc", "controlPort"], fieldsOf(smsc).controlPort],
    [["simulators", "vendors", "controlPort"], fieldsOf(vendors).controlPort],
    ...Object.entries(fieldsOf(fieldsOf(vendors).ports)).map(
      ([vendor, port]) => [["simulators", "vendors", "ports", vendor], port] as const,
    ),
  ];
  const isHere = ([[, simulator]]: readonly [Path, unknown]) =>
    fieldsOf(simulator === "smsc" ? smsc : vendors).start !== false;
  const takenBy = new Map<unknown, string>([[ownPort, "the gateway's (AFARA_PORT)"]]);
  const unknown = Object.keys(fieldsOf(fieldsOf(vendors).ports))
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: ["simulators", "vendors", "ports", name],
      detail: `is not a simulated vendor. ${meant(name, known)}`,
    }));
  const taken = wanted.filter(isHere).flatMap(([path, port]) => {
    if (typeof port !== "number" || port === 0) return [];
    const other = takenBy.get(port);
    takenBy.set(port, other ?? `that of ${path.join(".")}`);
    return other === undefined ? [] : [{ path, detail: `${port} is ${other} too; each needs a port of its own.` }];
  });
  return [...unknown, ...taken];
}
