import Type from "typebox";
import { BasisPoints, closed, Naira } from "../accounts/sold-service.ts";
import { AIRTIME_SETTINGS } from "../airtime/airtime.settings.ts";
import { CABLE_SETTINGS } from "../cable/cable.settings.ts";
import { CHAT_SETTINGS } from "../chat/chat.settings.ts";
import { ELECTRICITY_SETTINGS } from "../electricity/electricity.settings.ts";
import { RETENTION_SETTINGS } from "../retention/retention.settings.ts";
import { SMS_SETTINGS } from "../sms/sms.settings.ts";

/**
 * The operator's configuration, `afara.config.ts`: vendors, routes, plans, prices. One schema is the type, the editor's help
 * and the check at start. Secrets come from the environment: `process.env.SMSC_PASSWORD` in the file.
 */

/** Most messages an hour to one number, against pumping. */
const DestinationCap = closed({
  perAccount: Type.Integer({ minimum: 1 }),
  /** From all accounts together. */
  overall: Type.Integer({ minimum: 1 }),
});

/** Each service with its own schema, one line each. */
const Services = closed({
  sms: Type.Optional(SMS_SETTINGS),
  airtime: Type.Optional(AIRTIME_SETTINGS),
  electricity: Type.Optional(ELECTRICITY_SETTINGS),
  cable: Type.Optional(CABLE_SETTINGS),
  chat: Type.Optional(CHAT_SETTINGS),
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
  vatBasisPoints: BasisPoints,
  /** Points a minute that every key has, whatever its plan, e.g. { read: 300 }. */
  limits: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  /** A mode that is not named has no cap. Without this field live mode has 30 and 60. */
  destinationCaps: Type.Optional(closed({ live: Type.Optional(DestinationCap), test: Type.Optional(DestinationCap) })),
  /** What a test account's play wallet starts with. */
  playMoney: Naira,
  /** The business that sells, for receipts. Without it they name no seller. */
  seller: Type.Optional(Seller),
  /** For how many days personal data is kept; defaults and minimums: docs/operations/personal-data.md. */
  retention: Type.Optional(RETENTION_SETTINGS),
  /**
   * Who may sign up in the portal: anybody, only those invited to an account, or those whom the operator approves. Without it:
   * "open" on a local gateway, "invitation" in production.
   */
  signUp: Type.Optional(Type.Union([Type.Literal("open"), Type.Literal("invitation"), Type.Literal("approval")])),
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
/** A plan of any service. */
export type PlanConfig = PlanOf<ServiceName>;

/** Types the file in an editor; checks nothing, so that all faults are told together at start. */
export const defineConfig = (config: ConfigFile): ConfigFile => config;

/** The simulator behind each provider that has one, by the provider's name. */
export const simulatorsOf = ({ providers }: Pick<ConfigFile, "providers">): ReadonlyMap<string, string> =>
  new Map(Object.entries(providers).flatMap(([name, { simulator }]) => (simulator ? [[name, simulator]] : [])));
