import { accessSync, constants, existsSync, mkdirSync, readdirSync } from "node:fs";
import { isIP } from "node:net";
import { dirname, join, resolve } from "node:path";
import { checkApiKeyFormat } from "../accounts/api-key.ts";
import { parseCidr } from "../accounts/cidr.ts";
import { ADAPTERS } from "../app/vendors.ts";
import { isObject, type PlacedFault, placeText } from "../kernel/place.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { faultsOfFile } from "./faults.ts";
import type { Config } from "./gateway-config.ts";
import { loadConfig } from "./load.ts";
import { readLogo } from "./logo.ts";
import type { ConfigFile } from "./operator-file.ts";
import { readPortal } from "./portal.ts";
import { readTracing } from "./tracing.ts";

const ENVIRONMENTS = ["production", "local"] as const;
const ROLES = ["all", "api", "dispatcher"] as const;
const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
const PORT = { min: 0, max: 65_535, fallback: 8080 } as const;
const ADMIN_PORT = { min: 0, max: 65_535, fallback: 9090 } as const;
const SECRET_LENGTH_MIN = 32;

/**
 * Leases are renewed while orders are under way; a dead node's orders wait this long, so it is short. `AFARA_LEASE_SECONDS`
 * is for tests and special cases: much less, and a short pause of the process already costs the lease; much more, and the
 * orders of a dead node wait as long.
 */
const LEASE_SECONDS = { fallback: 30, min: 2, max: 600 } as const;

/** What environment and configuration file say, with all that is wrong with both. */
export interface ReadConfig {
  readonly config: Config;
  /** All faults at once, each once, with its place and what to do: variables first, then the file from its top. */
  readonly faults: readonly string[];
  /** Those of the faults that only what talks to vendors or starts simulators minds: a missing password, a taken port. */
  readonly vendorFaults: readonly string[];
  /** Variables that look misspelt, and may be meant. */
  readonly slips: readonly string[];
  /** The slips, and variables that are set to nothing. */
  readonly warnings: readonly string[];
}

/** Reads everything that the program is told from outside. No value of a secret is in any text. */
export async function readConfig(environment: Environment, root: string): Promise<ReadConfig> {
  const read = readEnvironment(environment, environment.AFARA_ENV === "production");
  const { faults, text } = read;

  const production = read.choice("AFARA_ENV", ENVIRONMENTS, "local") === "production";
  const secret = text("AFARA_SECRET");
  if (production && (secret === undefined || secret.length < SECRET_LENGTH_MIN))
    faults.push(
      `AFARA_SECRET: production needs a secret of ${SECRET_LENGTH_MIN} characters or more (or AFARA_SECRET_FILE)`,
    );
  const testKey = text("AFARA_TEST_KEY");
  if (testKey !== undefined && production) faults.push("AFARA_TEST_KEY: there is no local account in production");
  if (testKey !== undefined && checkApiKeyFormat(testKey) !== "test")
    faults.push("AFARA_TEST_KEY: not a test key (afara_test_ and 36 characters with a right checksum)");

  const port = read.whole("AFARA_PORT", { ...PORT, what: "a port" });
  const adminPort =
    text("AFARA_ADMIN_PORT") === "off"
      ? undefined
      : read.whole("AFARA_ADMIN_PORT", { ...ADMIN_PORT, what: "a port or off" });
  if (adminPort !== undefined && adminPort !== 0 && adminPort === port)
    faults.push(`AFARA_ADMIN_PORT: ${adminPort} is the gateway's own (AFARA_PORT); each needs a port of its own`);
  const leaseSeconds = read.whole("AFARA_LEASE_SECONDS", { ...LEASE_SECONDS, what: "a whole number of seconds" });

  const trustProxy = text("AFARA_TRUST_PROXY");
  for (const proxy of trustProxy?.split(",").map((part) => part.trim()) ?? [])
    if (!isProxy(proxy)) faults.push(`AFARA_TRUST_PROXY: "${proxy}" is no address and no CIDR block`);

  const databaseUrl = text("DATABASE_URL");
  if (databaseUrl !== undefined && !isUrl(databaseUrl, /^postgres(ql)?:\/\//))
    faults.push(
      `DATABASE_URL: must look like postgres://user:password@host:5432/database${hintOnUrl(databaseUrl, /^postgres(ql)?:\/\//)}`,
    );

  const redisUrl = text("REDIS_URL");
  if (redisUrl !== undefined && !isUrl(redisUrl, /^rediss?:\/\//))
    faults.push(
      `REDIS_URL: must look like redis://user:password@host:6379/0 (rediss:// for TLS)${hintOnUrl(redisUrl, /^rediss?:\/\//)}`,
    );

  const dataDir = resolve(root, text("AFARA_DATA_DIR") ?? "data");
  const unwritable = whyNotWritable(dataDir);
  if (unwritable) faults.push(unwritable);

  const values = {
    host: text("AFARA_HOST") ?? "127.0.0.1",
    port,
    admin: { host: text("AFARA_ADMIN_HOST") ?? "127.0.0.1", port: adminPort },
    tracing: readTracing(read),
    portal: readPortal(read, production),
    dataDir,
    databaseUrl,
    redisUrl,
    role: read.choice("AFARA_ROLE", ROLES, "all"),
    production,
    secret,
    testKey,
    trustProxy,
    logLevel: read.choice("AFARA_LOG_LEVEL", LOG_LEVELS, "info"),
    leaseSeconds,
  };

  const named = text("AFARA_CONFIG");
  const path = resolve(root, named ?? "afara.config.ts");
  const loaded = await loadConfig(path, environment, named === undefined ? undefined : "AFARA_CONFIG");
  const vendorFaults: string[] = [];
  const logo = "value" in loaded ? await readLogo(loaded.value, dirname(path)) : undefined;
  if ("fault" in loaded) faults.push(loaded.fault);
  else {
    const found = logo && "detail" in logo ? [logo] : [];
    const ofFile = faultsOfFile(loaded, { environment, adapters: ADAPTERS, port, found });
    const said = ({ path: place, detail }: PlacedFault) => `${path}: ${placeText(place)}: ${detail}`;
    faults.push(...ofFile.map(said));
    vendorFaults.push(...ofFile.filter(isOfVendor).map(said));
  }
  const file = ("value" in loaded ? loaded.value : {}) as ConfigFile;
  const sellerLogo = logo && "bytes" in logo ? { sellerLogo: logo } : {};
  const config: Config = Object.freeze({ ...values, file, ...sellerLogo });
  const slips = read.slips("source" in loaded ? loaded.source : "");
  return {
    config,
    faults: [...new Set(faults)],
    vendorFaults: [...new Set(vendorFaults)],
    slips,
    warnings: [...slips, ...read.empty, ...unnamed(config, path)],
  };
}

const VENDOR_FIELDS: readonly (string | number | undefined)[] = ["adapter", "settings", "simulator"];

/** `simulators…`, `providers.<name>.settings…`, `funding.settings…`: the rest of the configuration is whole without them. */
const isOfVendor = ({ path: [group, ...steps] }: PlacedFault): boolean =>
  group === "simulators" ||
  (group === "providers" && VENDOR_FIELDS.includes(steps[1])) ||
  (group === "funding" && VENDOR_FIELDS.includes(steps[0]));

/** Customers in production want to know from whom they bought. */
const unnamed = ({ production, file }: Config, path: string): readonly string[] =>
  production && file.seller === undefined && Object.values(file.services ?? {}).some(isBought)
    ? [
        `${path}: seller: is not set, so receipts name no seller; add seller: { name, address, tin, phone, email, logo }`,
      ]
    : [];

/** Of a configuration of any shape. */
const isBought = (service: unknown): boolean => isObject(service) && service.category === "fintech";

const isUrl = (text: string, scheme: RegExp): boolean => scheme.test(text) && URL.canParse(text);

/** What is wrong with a URL that has a password is told without it. */
const hintOnUrl = (text: string, scheme: RegExp): string =>
  scheme.test(text) ? "; what is in it besides letters and digits is written as %40 for @, %2F for /, %23 for #" : "";

/** Also the ranges that Fastify has names for, and a block by its mask (`10.0.0.0/255.0.0.0`). */
const isProxy = (text: string): boolean =>
  ["loopback", "linklocal", "uniquelocal"].includes(text) ||
  parseCidr(text) !== undefined ||
  (/^[^/]+\/[^/]+$/.test(text) && text.split("/").every((part) => isIP(part) === 4));

function whyNotWritable(dataDir: string): string | undefined {
  try {
    makeDirectory(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "EACCES" || code === "EROFS" || code === "EPERM"
        ? "is not writable for this user"
        : code === "EEXIST" || code === "ENOTDIR"
          ? "is a file, or in one"
          : `can't be used (${code})`;
    return `AFARA_DATA_DIR: ${dataDir} ${why}; choose another directory or mend its rights`;
  }
}

/** Level by level: Node's recursive way never ends where the system allows no directories (/proc). */
function makeDirectory(path: string): void {
  if (existsSync(path)) {
    readdirSync(path); // throws when it is a file
    return;
  }
  makeDirectory(dirname(path));
  mkdirSync(path);
}

export const dataFile = (config: Pick<Config, "dataDir">, ...path: string[]): string => join(config.dataDir, ...path);
export const projectRoot = (importMetaFile: string): string => dirname(dirname(importMetaFile));
