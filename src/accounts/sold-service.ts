import Type, { type Static, type TProperties, type TSchema } from "typebox";

/**
 * A service as it is sold by the operator's configuration, `afara.config.ts`: plans, limits, prices. One schema is the type, the
 * editor's help and the check at start, so that a price or limit that is missing or misspelt is reported by its place. Each service
 * has its own in `<service>.settings.ts`. The configuration file loads these, so they import no more than this.
 */

export const closed = <Properties extends TProperties>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description ? { description } : {}) });

/** Naira as a decimal string, e.g. "4.00": exact, never a float. */
export const Naira = Type.String({
  pattern: "^\\d{1,9}(\\.\\d{1,2})?$",
  description: 'naira in quotes, without separators and with at most two places, e.g. "5000.00"',
});

/** In 1/100 of a percent. */
export const BasisPoints = Type.Integer({ minimum: 0, maximum: 10_000 });

/** One for each network, or one for all: `{ "default": "4.00", "mtn": "3.80" }`. */
export const perNetwork = <Value extends TSchema>(value: Value) =>
  closed({
    default: value,
    mtn: Type.Optional(value),
    airtel: Type.Optional(value),
    glo: Type.Optional(value),
    "9mobile": Type.Optional(value),
  });

/** Points a minute. */
const Points = Type.Integer({ minimum: 0 });

/** Points a minute by policy: each of the service's own, and those that all callers have (`limits`) where the plan gives more. */
const limitsFor = <Policy extends string>(policies: readonly Policy[]) =>
  closed({
    ...(Object.fromEntries(policies.map((policy) => [policy, Points])) as Record<Policy, typeof Points>),
    read: Type.Optional(Points),
    manage: Type.Optional(Points),
  });

const planWith = <Policy extends string, Prices extends TProperties>(policies: readonly Policy[], prices: Prices) =>
  closed({
    id: Type.String({
      pattern: "^[a-z][a-z0-9-]{0,39}$",
      description: "a name of lower-case letters, digits and hyphens, a letter first, 40 characters at most",
    }),
    name: Type.String({ minLength: 1 }),
    /** A month's fee. Free plans say "0.00". */
    fee: Naira,
    limits: limitsFor(policies),
    /** Orders a month (month in Lagos), for SMS one for each recipient; null for no quota. */
    quota: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    prices: closed(prices),
  });

/**
 * The smallest plan stands first. `policies`: the per-minute limits that each plan sets. `prices`: those of a plan. `settings`: what
 * the operator decides for the service besides its plans.
 */
export const soldService = <Policy extends string, Prices extends TProperties, Settings extends TProperties>(
  policies: readonly Policy[],
  prices: Prices,
  settings: Settings,
) =>
  closed({
    name: Type.String({ minLength: 1 }),
    category: Type.Union([Type.Literal("messaging"), Type.Literal("fintech")]),
    plans: Type.Array(planWith(policies, prices), { minItems: 1 }),
    ...settings,
  });

/** A plan of the service with these settings. */
export type PlanIn<Settings extends TSchema> =
  Static<Settings> extends { readonly plans: readonly (infer Plan)[] } ? Plan : never;
