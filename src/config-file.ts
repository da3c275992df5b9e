import Type from "typebox";
import { Value } from "typebox/value";

/**
 * The operator's configuration, `afara.config.ts`: vendors, routes, plans, prices. One schema is the type, the editor's help
 * and the check at start. Secrets come from the environment: `process.env.SMSC_PASSWORD` in the file.
 */

const closed = <Properties extends Record<string, Type.TSchema>>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description ? { description } : {}) });

/** Naira as a decimal string, e.g. "4.00": exact, never a float. */
const Naira = Type.String({ pattern: "^\\d{1,9}(\\.\\d{1,2})?$" });

/** A price for each network, or one for all: `{ "default": "4.00", "mtn": "3.80" }`. */
const ByNetwork = Type.Intersect([Type.Record(Type.String(), Naira), Type.Object({ default: Naira })]);

const Plan = closed({
  id: Type.String({ pattern: "^[a-z][a-z0-9-]{0,39}$" }),
  name: Type.String({ minLength: 1 }),
  /** A month's fee. Free plans say "0.00". */
  fee: Naira,
  /** Points a minute by policy, e.g. { "sms-send": 60 }. */
  limits: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** Orders a month (month in Lagos); null for no quota. */
  quota: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  prices: Type.Record(Type.String(), ByNetwork),
});

const Provider = closed({
  /** Which protocol: the name of an adapter, e.g. "smpp". */
  adapter: Type.String(),
  /** Runs against the simulator of this name instead of a vendor: only for routes in test mode. */
  simulator: Type.Optional(Type.Literal("smsc")),
  settings: Type.Record(Type.String(), Type.Unknown()),
});

const Route = closed({
  provider: Type.String(),
  service: Type.String(),
  modes: Type.Array(Type.Union([Type.Literal("live"), Type.Literal("test")]), { minItems: 1 }),
  weight: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  /** Orders under way at once, their records included. What a crash may repeat with `on_ambiguous: retry` is bounded by it. */
  window: Type.Integer({ minimum: 1, maximum: 10_000 }),
  ratePerSecond: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
  /** Only orders with these labels, e.g. { network: ["mtn"], route: ["transactional"] }. */
  only: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1 }))),
});

const Simulator = closed({
  /** False: it runs elsewhere (another node started it), at the ports given. */
  start: Type.Optional(Type.Boolean()),
  host: Type.Optional(Type.String()),
  smppPort: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  controlPort: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
});

export const ConfigFile = closed({
  /** VAT contained in prices, in 1/100 of a percent: Nigeria's 7.5 % is 750. */
  vatBasisPoints: Type.Integer({ minimum: 0, maximum: 10_000 }),
  /** Points a minute that every key has, whatever its plan, e.g. { read: 300 }. */
  limits: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** What a test account's play wallet starts with. */
  playMoney: Naira,
  services: Type.Record(
    Type.String(),
    closed({
      name: Type.String(),
      category: Type.Union([Type.Literal("messaging"), Type.Literal("fintech")]),
      /** For SMS: the sender of a message that names none. */
      defaultSender: Type.Optional(Type.String()),
      plans: Type.Array(Plan, { minItems: 1 }),
    }),
  ),
  providers: Type.Record(Type.String({ pattern: "^[a-z][a-z0-9-]{0,39}$" }), Provider),
  routes: Type.Array(Route),
  simulators: Type.Optional(closed({ smsc: Type.Optional(Simulator) })),
});

export type ConfigFile = Type.Static<typeof ConfigFile>;
export type PlanConfig = Type.Static<typeof Plan>;

/** Types the file in an editor; checks nothing, so that all faults are told together at start. */
export const defineConfig = (config: ConfigFile): ConfigFile => config;

/** Every fault of a configuration, each with its place. What depends on each other is checked together. */
export function faultsOfConfig(config: unknown, adapters: readonly string[]): readonly string[] {
  const errors = Value.Errors(ConfigFile, config).filter((error) => error.keyword !== "boolean"); // told as unknown field
  const faults = errors.map((error) => `${placeOf(error.instancePath)}: ${sayError(error)}`);
  if (faults.length > 0) return [...new Set(faults)];
  const { providers, routes, services, simulators } = config as ConfigFile;
  const across: string[] = [];
  for (const [name, provider] of Object.entries(providers))
    if (!adapters.includes(provider.adapter))
      across.push(
        `providers.${name}.adapter: "${provider.adapter}" is not an adapter; there are ${adapters.join(", ")}`,
      );
  for (const [index, route] of routes.entries()) {
    const provider = providers[route.provider];
    if (!provider) across.push(`routes[${index}].provider: "${route.provider}" is not among providers`);
    if (!services[route.service]) across.push(`routes[${index}].service: "${route.service}" is not among services`);
    if (provider?.simulator && route.modes.includes("live"))
      across.push(`routes[${index}].modes: "${route.provider}" is a simulator, so live orders must not go there`);
    if (provider && !provider.simulator && route.modes.includes("test"))
      across.push(`routes[${index}].modes: "${route.provider}" is a real vendor, so test orders must not go there`);
    if (provider?.simulator && !simulators?.[provider.simulator])
      across.push(`providers.${route.provider}.simulator: "${provider.simulator}" is not among simulators`);
  }
  const byProvider = Map.groupBy(routes, (route) => route.provider);
  for (const [provider, same] of byProvider)
    if (same.length > 1)
      across.push(`routes: "${provider}" has ${same.length} routes; a provider takes one, with its modes and labels`);
  for (const [name, service] of Object.entries(services)) {
    const ids = service.plans.map((plan) => plan.id);
    if (new Set(ids).size < ids.length) across.push(`services.${name}.plans: each plan needs an id of its own`);
  }
  return across;
}

const placeOf = (pointer: string): string =>
  pointer === ""
    ? "configuration"
    : pointer
        .slice(1)
        .replaceAll(/\/(\d+)(?=\/|$)/g, "[$1]")
        .replaceAll("/", ".");

function sayError(error: { keyword: string; message: string; params: object }): string {
  if (error.keyword === "additionalProperties" && "additionalProperties" in error.params)
    return `has unknown fields: ${String(error.params.additionalProperties)}`;
  if (error.keyword === "required" && "requiredProperties" in error.params)
    return `lacks ${String(error.params.requiredProperties)}`;
  return error.message;
}
