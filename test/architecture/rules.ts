import { globSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { SERVICES } from "../../src/app/services.ts";
import { GROUP_PREFIX } from "../../src/kernel/ids.ts";
import { crossings, isPage, PAGES_MEND } from "./pages.ts";
import type { Source } from "./sources.ts";

/** A rule of the house: what breaks it, and how to mend it. */
export interface Rule {
  readonly name: string;
  readonly mend: string;
  /** What in this file breaks the rule, in a few words each. */
  breaches(source: Source): readonly string[];
}

/** Files that may break one rule, each for a reason that holds for this file alone. */
type Exceptions = Readonly<Record<string, string>>;

const OPERATOR_FILE = "src/config/operator-file.ts";
/** What every adapter may import besides the kernel, the ports, the reading of vendors' texts and its own folder. */
const FOR_ADAPTERS: readonly string[] = [
  "src/providers/http-call.ts",
  "src/providers/access-probe.ts",
  "src/providers/http-vendor.ts",
  "src/providers/settings-schema.ts",
];
const FOR_VENDORS = /^src\/(?:kernel|ports|vendor-text)\//;
/** What the simulators of vendors with HTTP have in common, and what runs any simulator as a process. */
const FOR_SIMULATORS = /^src\/simulators\/(?:[^/]+\.ts$|vendors\/)/;

/**
 * The layers, from the ground up: what a folder of src may import besides itself, the kernel and the ports. A folder that is
 * not here is a service, so a new service needs no line.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  ports: [],
  /** Reading what vendors write. */
  "vendor-text": [],
  db: [],
  ledger: ["db"],
  counters: [],
  /** Calls to addresses that subscribers give, under one guard. */
  egress: [],
  /** Counts and spans of all parts, and where operators read them. */
  observability: [],
  orders: ["db", "ledger", "vendor-text"],
  accounts: ["db", "ledger", OPERATOR_FILE],
  wallet: ["db", "ledger", "accounts"],
  funding: ["db", "ledger", "accounts", OPERATOR_FILE],
  /** Copies of what the vendors sell by plans. */
  catalogue: ["db", "orders", OPERATOR_FILE],
  /** What the services that sell by purchase have in common. */
  purchases: ["db", "orders", "accounts", "vendor-text", OPERATOR_FILE],
  /** What a person must look at, whichever service it is of. */
  cases: ["db", "orders"],
  /** The feed of what happened, whichever service's. */
  events: ["db", "orders", "accounts"],
  /** The feed, posted to subscribers. */
  webhooks: ["db", "accounts", "egress", "events"],
  reconciliation: ["db", "orders", "cases", OPERATOR_FILE],
  /** Purges personal data, whichever service it is of. */
  retention: ["db", "orders", "accounts", OPERATOR_FILE],
  "request-log": ["db", "accounts"],
  backup: ["db"],
  reference: [],
  http: ["accounts", "counters", "reference"],
  /** The pages for people, as they were built. */
  portal: ["db", "reference"],
  providers: ["vendor-text"],
  simulators: [],
  "test-mode": ["db", "orders", "accounts", "purchases", "simulators", "vendor-text", OPERATOR_FILE],
};
const SERVICE: readonly string[] = [
  "db",
  "vendor-text",
  "orders",
  "accounts",
  "catalogue",
  "purchases",
  "egress",
  "counters",
  OPERATOR_FILE,
];

/** Roots, which put the layers together, and tests, which may look at all of it. */
const FREE = ["app", "config", "cli", "testing"];

const folderOf = (path: string): string | undefined => /^src\/([^/]+)\//.exec(path)?.[1];
const isTest = ({ path }: Source): boolean =>
  path.endsWith(".test.ts") || path.startsWith("test/") || path.startsWith("bench/") || path.startsWith("src/testing/");
/** The front door of a folder: what `src/app` puts together. */
const isDoor = (path: string): boolean => /^src\/[^/]+\/index\.ts$/.test(path);
/** Only routes, the schemas and examples that they register, the replies that several of them share, and refusals with their statuses speak HTTP. */
const isEdge = (path: string): boolean => /\.(routes|schemas|examples|replies|refusals)\.ts$/.test(path);
const isNode = (target: string): boolean => target.startsWith("node:");

const isOneOf = (target: string, allowed: readonly string[]): boolean =>
  allowed.some((place) => target === place || folderOf(target) === place);

const layers: Rule = {
  name: "imports point towards the kernel",
  mend: "Move what both need down (to src/kernel or src/orders), or hand it over as an argument in src/app/app.ts.",
  breaches(source) {
    const folder = folderOf(source.path);
    if (folder === undefined || FREE.includes(folder) || isTest(source)) return [];
    const ports = ["kernel", "ports"].includes(folder) ? [] : ["ports"];
    const allowed = [
      folder,
      "kernel",
      ...ports,
      ...(LAYERS[folder] ?? SERVICE),
      ...(isEdge(source.path) || isDoor(source.path) ? ["http"] : []),
    ];
    return source.imports
      .filter((target) => target.startsWith("src/") && !isOneOf(target, allowed))
      .filter((target) => !(KNOWS_WIRE.test(source.path) && isWire(target)))
      .map((target) => `imports ${target}`);
  },
};

/** Folders without a front door, as every part of them is used by several others. */
const SHARED = ["kernel", "ports", "vendor-text", "db", "ledger", "counters", "orders", "http", "backup", "reference"];
/** Not parts of the running gateway, or put together in a file of their own name (`registry.ts`, `simulators.ts`). */
const OWN_ENTRY = ["app", "config", "providers", "simulators"];
const BESIDE_DOORS: Exceptions = {
  "src/app/installation.ts":
    "commands load it too, and are to load no routes; it asks src/accounts for the secret alone",
};

const doors: Rule = {
  name: "the composition root enters a folder by its front door",
  mend: "Export it from the folder's index.ts. A `*.definition.ts` is pure data and a `*.triggers.ts` imports nothing: both may be imported by themselves.",
  breaches(source) {
    if (folderOf(source.path) !== "app" || isTest(source) || source.path in BESIDE_DOORS) return [];
    return source.imports
      .filter((target) => {
        const folder = folderOf(target);
        return folder !== undefined && !SHARED.includes(folder) && !OWN_ENTRY.includes(folder);
      })
      .filter((target) => !isDoor(target) && !/\.(definition|triggers)\.ts$/.test(target))
      .map((target) => `imports ${target}`);
  },
};

const vendorOf = (path: string): string | undefined => /^src\/(?:providers|simulators)\/([^/]+)\//.exec(path)?.[0];
/** The one file that knows which vendors are simulated. */
const SIMULATORS = "src/simulators/vendors/registry.ts";
/** Simulators, and the endpoints that show their handsets and meters. */
const KNOWS_WIRE = /^src\/(?:simulators|test-mode)\//;
const isWire = (path: string): boolean => /^src\/providers\/[^/]+\/wire\//.test(path);

const vendors: Rule = {
  name: "a vendor's folder knows its own vendor alone",
  mend: "An adapter imports src/kernel, src/ports, src/vendor-text, src/providers/http-*.ts, access-probe.ts, settings-schema.ts and its own folder; a simulator also a `wire/`.",
  breaches(source) {
    const own = vendorOf(source.path);
    if (own === undefined || source.path.endsWith(".test.ts")) return [];
    const isSimulator = own.startsWith("src/simulators/");
    return source.imports
      .filter((target) => target.startsWith("src/") && !FOR_VENDORS.test(target))
      .filter((target) => !FOR_ADAPTERS.includes(target) && !target.startsWith(own))
      .filter((target) => !(isSimulator && (isWire(target) || FOR_SIMULATORS.test(target))))
      .filter((target) => !(source.path === SIMULATORS && target.endsWith("/index.ts")))
      .map((target) => `imports ${target}`);
  },
};

const vendorsSeen: Rule = {
  name: "only the registry knows which vendors there are",
  mend: "Outside its folder an adapter is reached through src/providers/registry.ts, which imports its index.ts.",
  breaches(source) {
    if (isTest(source)) return [];
    return source.imports
      .filter((target) => /^src\/providers\/[^/]+\//.test(target) && vendorOf(target) !== vendorOf(source.path))
      .filter((target) => !(source.path === "src/providers/registry.ts" && target.endsWith("/index.ts")))
      .filter((target) => !(KNOWS_WIRE.test(source.path) && isWire(target)))
      .map((target) => `imports ${target}`);
  },
};

const REGISTRIES = ["src/providers/registry.ts", SIMULATORS];
/** Vendors by the names of their folders. An SMSC is what SMPP speaks to, whoever runs it, so it is no vendor's name. */
const VENDOR_NAMES = new Set(
  ["providers", "simulators"]
    .flatMap((kind) => readdirSync(join(import.meta.dirname, "../../src", kind), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && !["vendors", "smsc"].includes(entry.name))
    .map(({ name }) => name),
);
/** A word that is a text of its own, or the name of a field. */
const WORD = /(["'`])([a-z-]+)\1|(?<![\w.-])([a-z]+):/g;
const wordsOf = ({ code }: Source): readonly string[] => [
  ...new Set([...code.matchAll(WORD)].map((match) => match[2] ?? match[3] ?? "")),
];
const NAMES_VENDORS: Exceptions = {
  "src/db/data-dir.ts": "knows every folder that Afara has ever made in a data directory",
};

const vendorsNamed: Rule = {
  name: "only a vendor's folder and the registries name it",
  mend: "Let the vendor's definition say it (src/ports/provider.ts, src/simulators/vendors/vendor.ts) and ask the registry.",
  breaches(source) {
    const isContract = source.path.startsWith("test/contract/");
    if (!isContract && (!source.path.startsWith("src/") || isTest(source))) return [];
    if (REGISTRIES.includes(source.path) || source.path in NAMES_VENDORS) return [];
    const own = vendorOf(source.path)?.split("/")[2] ?? "";
    return wordsOf(source)
      .filter((word) => VENDOR_NAMES.has(word) && !own.startsWith(word))
      .map((word) => `names ${word}`);
  },
};

/** Services, what stands before the ids of their orders, and before those of groups. */
const ENGINE_UNKNOWNS = new Set<string>([
  ...SERVICES.flatMap(({ service, idPrefix }) => [service, idPrefix]),
  GROUP_PREFIX,
]);

const engineNames: Rule = {
  name: "the engine names no service",
  mend: "Let the service's definition say it (src/orders/service-definition.ts), or its hooks (src/orders/service.ts).",
  breaches(source) {
    if (folderOf(source.path) !== "orders" || isTest(source)) return [];
    return wordsOf(source)
      .filter((word) => ENGINE_UNKNOWNS.has(word))
      .map((word) => `names ${word}`);
  },
};

/** Hashing and text need no world outside. */
const PURE_MODULES = ["node:crypto", "node:buffer"];

const pure: Rule = {
  name: "the kernel and the wire formats do no input or output",
  mend: "Leave the reading and writing to the caller and give the kernel the value.",
  breaches: (source) =>
    isTest(source) || !(folderOf(source.path) === "kernel" || isWire(source.path))
      ? []
      : source.imports
          .filter((target) => isNode(target) && !PURE_MODULES.includes(target))
          .map((target) => `imports ${target}`),
};

const mayHoldSql = (path: string): boolean =>
  path.endsWith(".repo.ts") || path.startsWith("src/db/") || path.startsWith("src/testing/");
/** How statements begin in a string. Prose does not begin like this in lower case. */
const SQL =
  /["'`]\s*(?:select\s+[\w*(]|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\(|begin\s+isolation)/;
const CONNECTS: Exceptions = {
  "src/main.ts": "tries DATABASE_URL before anything is started, so that its fault is told with all the others",
};

const driver: Rule = {
  name: "only repositories and src/db know the database's driver",
  mend: "Put the query into a function of the folder's *.repo.ts that takes the `Db` it runs in.",
  breaches: (source) =>
    isTest(source) || mayHoldSql(source.path) || source.path in CONNECTS
      ? []
      : source.imports.filter((target) => target === "pg").map(() => "imports pg"),
};

const sql: Rule = {
  name: "SQL stands in repositories, src/db and migrations",
  mend: "Move the statement into the folder's *.repo.ts, beside the others on the same table.",
  breaches(source) {
    if (isTest(source) || mayHoldSql(source.path)) return [];
    const found = SQL.exec(source.code);
    return found ? [`holds SQL: ${found[0].trim()} …`] : [];
  },
};

/** The files in which it is decided what an order becomes. */
const DECISIONS = /^src\/orders\/(?:decide(?:-[a-z]+)?|attempt(?:-answer)?|transition|pieces|steps)\.ts$/;

const decisions: Rule = {
  name: "the engine's decisions import no repository",
  mend: "Read what the decision needs before it, and hand it over as an argument.",
  breaches: (source) =>
    DECISIONS.test(source.path)
      ? source.imports.filter((target) => target.endsWith(".repo.ts")).map((target) => `imports ${target}`)
      : [],
};

const framework: Rule = {
  name: "only routes and src/http know the HTTP framework",
  mend: "Keep the rule in the service and let the folder's *.routes.ts translate request and answer.",
  breaches: (source) =>
    isTest(source) || isEdge(source.path) || folderOf(source.path) === "http"
      ? []
      : source.imports.filter((target) => /^@?fastify\b/.test(target)).map((target) => `imports ${target}`),
};

const WORLD = /\bprocess\.env\b|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b/;
const WORLD_EXCEPTIONS: Exceptions = {
  "src/providers/smpp/test-rig.ts": "used by the adapter's tests alone",
  "src/simulators/smsc/rig.ts": "used by the simulator's tests alone",
  "src/simulators/vendors/rig.ts": "used by the simulators' tests alone",
};

const world: Rule = {
  name: "only main.ts reads the clock, the environment and chance",
  mend: "Take a Clock (src/kernel/clock.ts) or the value as an argument; src/app/app.ts hands it over.",
  breaches(source) {
    if (isTest(source) || isPage(source) || source.path.endsWith("/main.ts") || source.path in WORLD_EXCEPTIONS)
      return [];
    const found = WORLD.exec(source.code);
    return found ? [`reads ${found[0]}`] : [];
  },
};

/** A folder with the definition of its own name is a service's. */
const SERVICE_NAMES: readonly string[] = globSync("src/*/*.definition.ts", { cwd: join(import.meta.dirname, "../..") })
  .map((path) => path.split(sep))
  .flatMap(([, folder, file]) => (folder !== undefined && file === `${folder}.definition.ts` ? folder : []));
const SERVICE_WORD = new RegExp(`"(${SERVICE_NAMES.join("|")})"`, "g");
const SHARED_BY_SERVICES: readonly string[] = ["orders", "catalogue", "purchases", "kernel", "http", "cli", "accounts"];
const CHANNEL = "customers are written to by SMS unless the purchase names another channel";
const EXAMPLE = "an example in the reference has to be of some service";
const OWN_COMMAND = "commands of one service, which are no part of its door";
const NAMES_SERVICES: Exceptions = {
  "src/purchases/purchase.schemas.ts": "the example of a notice has to be of some channel",
  "src/purchases/notices.ts": CHANNEL,
  "src/purchases/notices.repo.ts": CHANNEL,
  "src/accounts/limits.routes.ts": EXAMPLE,
  "src/accounts/services.routes.ts": EXAMPLE,
  "src/accounts/subscriptions.routes.ts": EXAMPLE,
  "src/accounts/message-sender.ts": "whether an account may send to a customer, which only the services of messages do",
  "src/cli/account.command.ts": "approves the sender ID of a new account",
  "src/cli/senders.command.ts": OWN_COMMAND,
  "src/cli/numbers.command.ts": OWN_COMMAND,
  "src/cli/chat-numbers.command.ts": OWN_COMMAND,
};

const servicesNamed: Rule = {
  name: "what all services share names none of them",
  mend: "Let the service bring it through its door (src/<service>/index.ts) or its definition, and ask src/app/services.ts.",
  breaches(source) {
    const folder = folderOf(source.path) ?? "";
    if (!SHARED_BY_SERVICES.includes(folder) || isTest(source) || source.path in NAMES_SERVICES) return [];
    const imported = source.imports.filter((target) => SERVICE_NAMES.includes(folderOf(target) ?? ""));
    const named = [...source.code.matchAll(SERVICE_WORD)].map(([word]) => `names ${word}`);
    return [...imported.map((target) => `imports ${target}`), ...named];
  },
};

const TESTS_ONLY = /^src\/testing\/|^test\/|\.test\.ts$|\/(?:test-rig|rig|scripted-smsc(?:-tls)?)\.ts$/;

const testing: Rule = {
  name: "what runs in production imports nothing that is there for tests",
  mend: "Move what production needs out of the test's file.",
  breaches: (source) =>
    isTest(source) || TESTS_ONLY.test(source.path)
      ? []
      : source.imports.flatMap((target) =>
          target === "node:test" || TESTS_ONLY.test(target) ? [`imports ${target}`] : [],
        ),
};

export const LINES_MAX = 400;
export const LONG_FILES: Exceptions = {
  "src/providers/smpp/session.ts": "one connection's state, which two files would have to share",
  "src/providers/smpp/adapter.test.ts": "one promise after another on one rig",
  "src/chat/chat.service.test.ts": "one promise after another on one rig",
  "test/e2e/portal-orders.browser.test.ts": "one promise after another among the same 100,000 orders",
};

const length: Rule = {
  name: `a file holds one idea in ${LINES_MAX} lines at most`,
  mend: "Split it by idea. If that makes it harder to read, list it in test/architecture/rules.ts with the reason.",
  breaches: ({ path, lines }) => (lines > LINES_MAX && !(path in LONG_FILES) ? [`has ${lines} lines`] : []),
};

export const RULES: readonly Rule[] = [
  layers,
  doors,
  vendors,
  vendorsSeen,
  vendorsNamed,
  engineNames,
  pure,
  driver,
  sql,
  decisions,
  framework,
  world,
  servicesNamed,
  { name: "the portal's pages and the gateway share no code", mend: PAGES_MEND, breaches: crossings },
  testing,
  length,
];

/** Every exception that is listed, so that none outlives its file. */
export const EXCEPTIONS: readonly string[] = [
  NAMES_VENDORS,
  BESIDE_DOORS,
  CONNECTS,
  WORLD_EXCEPTIONS,
  NAMES_SERVICES,
  LONG_FILES,
].flatMap((list) => Object.keys(list));
