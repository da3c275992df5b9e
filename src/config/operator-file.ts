import Type from "typebox";

/**
 * The operator's configuration, `afara.config.ts`: vendors, routes, plans, prices. One schema is the type, the editor's help
 * and the check at start. Secrets come from the environment: `process.env.SMSC_PASSWORD` in the file.
 */

const closed = <Properties extends Record<string, Type.TSchema>>(properties: Properties, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description ? { description } : {}) });

/** Naira as a decimal string, e.g. "4.00": exact, never a float. */
const Naira = Type.String({
  pattern: "^\\d{1,9}(\\.\\d{1,2})?$",
  description: 'naira in quotes, without separators and with at most two places, e.g. "5000.00"',
});

/** In 1/100 of a percent. */
const BasisPoints = Type.Integer({ minimum: 0, maximum: 10_000 });

/** One for each network, or one for all: `{ "default": "4.00", "mtn": "3.80" }`. */
const byNetwork = <Value extends Type.TSchema>(value: Value) =>
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

const planWith = <Limits extends Type.TSchema, Prices extends Type.TSchema>(limits: Limits, prices: Prices) =>
  closed({
    id: Type.String({
      pattern: "^[a-z][a-z0-9-]{0,39}$",
      description: "a name of lower-case letters, digits and hyphens, a letter first, 40 characters at most",
    }),
    name: Type.String({ minLength: 1 }),
    /** A month's fee. Free plans say "0.00". */
    fee: Naira,
    limits,
    /** Orders a month (month in Lagos), for SMS one for each recipient; null for no quota. */
    quota: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    prices,
  });

/** Most messages an hour to one number, against pumping. */
const DestinationCap = closed({
  perAccount: Type.Integer({ minimum: 1 }),
  /** From all accounts together. */
  overall: Type.Integer({ minimum: 1 }),
});

/** A service as it is sold. The smallest plan stands first. */
const serviceWith = <Plan extends Type.TSchema, More extends Record<string, Type.TSchema>>(plan: Plan, more: More) =>
  closed({
    name: Type.String({ minLength: 1 }),
    category: Type.Union([Type.Literal("messaging"), Type.Literal("fintech")]),
    plans: Type.Array(plan, { minItems: 1 }),
    ...more,
  });

const SmsPlan = planWith(
  limitsFor(["sms-send", "sms-bulk", "sms-recipients", "sms-preview", "sms-cancel"]),
  /** A segment's price by route type and network. */
  closed({ transactional: byNetwork(Naira), promotional: byNetwork(Naira) }),
);

const AirtimePlan = planWith(
  limitsFor(["airtime-vend"]),
  /** What a top-up costs less than its face value, and a data bundle more than the vendor's price. */
  closed({ discountBasisPoints: byNetwork(BasisPoints), dataMarginBasisPoints: BasisPoints }),
);

const ElectricityPlan = planWith(
  limitsFor(["electricity-verify", "electricity-vend"]),
  /** The fee on top of a purchase's amount. */
  closed({ fee: Naira }),
);

const ChatPlan = planWith(
  limitsFor(["chat-send", "chat-media"]),
  /** A message's price by Meta's category. */
  closed({ marketing: Naira, utility: Naira, authentication: Naira, service: Naira }),
);

/**
 * A schema for each service, so that a price or limit that is missing or misspelt is told by its place. A service whose code
 * this gateway does not have may stand here: it is checked and shown as not available.
 */
const Services = closed({
  sms: Type.Optional(
    serviceWith(SmsPlan, {
      /** The sender of a message that names none. */
      defaultSender: Type.Optional(Type.String()),
      /** Senders that every account may use in live mode, besides the default one. All others are approved one by one. */
      approvedSenders: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  airtime: Type.Optional(serviceWith(AirtimePlan, {})),
  electricity: Type.Optional(serviceWith(ElectricityPlan, {})),
  chat: Type.Optional(
    serviceWith(ChatPlan, {
      /** What becomes of linked files: looked at and left to the vendor to fetch ("link", unless told), or fetched and stored there. */
      media: Type.Optional(Type.Union([Type.Literal("link"), Type.Literal("fetch")])),
    }),
  ),
});

const Provider = closed({
  /** Which protocol: the name of an adapter, e.g. "smpp". */
  adapter: Type.String(),
  /** Runs against the simulator of this name instead of a vendor: only for routes in test mode. */
  simulator: Type.Optional(Type.String()),
  /** The operator is told when less than this is left of the money kept with the vendor. */
  lowFloat: Type.Optional(Naira),
  settings: Type.Record(Type.String(), Type.Unknown()),
});

/** A provider has one for each service that is bought there. */
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

/** Who brings money into live wallets. */
const Funding = closed({
  /** The name of an adapter of this kind, e.g. "paystack". */
  adapter: Type.String(),
  /** Smallest and largest top-up; "100.00" and "10000000.00" unless told. */
  minimum: Type.Optional(Naira),
  maximum: Type.Optional(Naira),
  settings: Type.Record(Type.String(), Type.Unknown()),
});

const PORT = Type.Integer({ minimum: 0, maximum: 65_535 });
/** 0 or absent: a free one. */
const Port = Type.Optional(PORT);

const place = {
  /** False: it runs elsewhere (another node started it), at the ports given. */
  start: Type.Optional(Type.Boolean()),
  host: Type.Optional(Type.String()),
  controlPort: Port,
};

const Simulators = closed({
  smsc: Type.Optional(closed({ ...place, smppPort: Port })),
  /** All vendors with HTTP, in one process. */
  vendors: Type.Optional(
    closed({
      ...place,
      /** By the simulator's name. */
      ports: Type.Optional(Type.Record(Type.String(), PORT)),
    }),
  ),
});

const ONE_LINE = "[^\\u0000-\\u001f\\u007f]*";

/** Whom receipts name. All but the name may be left out. */
const Seller = closed({
  name: Type.String({
    pattern: `^${ONE_LINE}\\S${ONE_LINE}$`,
    maxLength: 100,
    description: "the business's name in one line, in quotes, 100 characters at most",
  }),
  address: Type.Optional(
    Type.String({
      pattern: "^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f]+$",
      maxLength: 300,
      description: "an address in quotes, 300 characters at most; \\n begins another line",
    }),
  ),
  tin: Type.Optional(
    Type.String({
      pattern: "^(\\d{8}-?\\d{4}|\\d{10}|\\d{13})$",
      description: 'a tax identification number in quotes: "12345678-0001", or the 13 (or 10) digits of a Tax ID',
    }),
  ),
  phone: Type.Optional(
    Type.String({
      pattern: "^\\+?\\d(?:[ ()-]{0,2}\\d){2,19}$",
      description: 'a phone number in quotes, e.g. "0803 123 4567"',
    }),
  ),
  email: Type.Optional(
    Type.String({
      pattern: '^[^\\s@<>"]+@[^\\s@<>"]+\\.[^\\s@<>"]+$',
      maxLength: 254,
      description: 'an email address in quotes, e.g. "help@shop.example"',
    }),
  ),
  /** A PNG or JPEG, 512 kB at most; its path from the configuration file's folder. */
  logo: Type.Optional(
    Type.String({ pattern: "\\S", description: 'the path of a PNG or JPEG in quotes, e.g. "./logo.png"' }),
  ),
});

export const ConfigFile = closed({
  /** VAT contained in prices, in 1/100 of a percent: Nigeria's 7.5 % is 750. */
  vatBasisPoints: Type.Integer({ minimum: 0, maximum: 10_000 }),
  /** Points a minute that every key has, whatever its plan, e.g. { read: 300 }. */
  limits: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** A mode that is not named has no cap. Without this field live mode has 30 and 60. */
  destinationCaps: Type.Optional(closed({ live: Type.Optional(DestinationCap), test: Type.Optional(DestinationCap) })),
  /** What a test account's play wallet starts with. */
  playMoney: Naira,
  /** The business that sells, for receipts. Without it they name no seller. */
  seller: Type.Optional(Seller),
  services: Services,
  providers: Type.Record(Type.String(), Provider),
  routes: Type.Array(Route),
  /** Without it, live wallets are credited by the operator alone. */
  funding: Type.Optional(Funding),
  simulators: Type.Optional(Simulators),
});

export type ConfigFile = Type.Static<typeof ConfigFile>;
export type ServicesConfig = ConfigFile["services"];
export type ServiceName = keyof ServicesConfig;
export type PlanOf<Service extends ServiceName> = NonNullable<ServicesConfig[Service]>["plans"][number];
export type SmsPlan = PlanOf<"sms">;
/** A plan of any service. */
export type PlanConfig = PlanOf<ServiceName>;

/** Types the file in an editor; checks nothing, so that all faults are told together at start. */
export const defineConfig = (config: ConfigFile): ConfigFile => config;

/** The simulator behind each provider that has one, by the provider's name. */
export const simulatorsOf = ({ providers }: Pick<ConfigFile, "providers">): ReadonlyMap<string, string> =>
  new Map(Object.entries(providers).flatMap(([name, { simulator }]) => (simulator ? [[name, simulator]] : [])));
