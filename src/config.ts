import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checkApiKeyFormat } from "./accounts/api-key.ts";
import { parseCidr } from "./accounts/cidr.ts";
import { type ConfigFile, faultsOfConfig } from "./config-file.ts";
import { nearest } from "./kernel/near.ts";

/** Everything the program is told from outside, read once, checked together, frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Undefined: the embedded server. */
  readonly databaseUrl: string | undefined;
  /** Valkey or Redis that counts for all nodes; undefined: each node counts for itself. */
  readonly redisUrl: string | undefined;
  readonly role: "all" | "api" | "dispatcher";
  /** `production`: no local account, no printed key, `AFARA_SECRET` required. */
  readonly production: boolean;
  /** Pepper of keys and root of encryption; undefined in local mode, where it is made in the data directory. */
  readonly secret: string | undefined;
  /** Fixes the local account's test key. */
  readonly testKey: string | undefined;
  readonly logLevel: string;
  /** Addresses or CIDR blocks of proxies whose `X-Forwarded-For` is believed, comma-separated. */
  readonly trustProxy: string | undefined;
  readonly leaseSeconds: number;
  readonly file: ConfigFile;
}

const ROLES = ["all", "api", "dispatcher"] as const;
const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"];
const SECRET_LENGTH_MIN = 32;

/**
 * Leases are renewed while orders are under way; a dead node's orders wait this long, so it is short. `AFARA_LEASE_SECONDS`
 * is for tests and special cases: much less, and a short pause of the process already costs the lease; much more, and the
 * orders of a dead node wait as long.
 */
const LEASE_SECONDS = { default: 30, min: 2, max: 600 } as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** All faults of environment and configuration file at once, each saying how to mend it; or the configuration. */
export async function readConfig(
  environment: Environment,
  root: string,
  adapters: readonly string[],
): Promise<{
  readonly config: Config;
  readonly faults: readonly string[];
  /** What is most likely a slip, and may be meant: the configuration file may read variables of its own. */
  readonly warnings: readonly string[];
}> {
  const faults: string[] = [];
  const read = new Set<string>();
  const text = (name: string): string | undefined => {
    read.add(name).add(`${name}_FILE`);
    if (environment[name] && environment[`${name}_FILE`])
      faults.push(`${name}: both ${name} and ${name}_FILE are set; keep the one that counts`);
    return environment[name] || fromFile(environment, name, faults);
  };
  const choice = <Value extends string>(name: string, values: readonly Value[], fallback: Value): Value => {
    const value = text(name) ?? fallback;
    if (values.includes(value as Value)) return value as Value;
    faults.push(`${name}: "${value}" is not one of ${values.join(", ")}`);
    return fallback;
  };

  const production = text("AFARA_ENV") === "production";
  const secret = text("AFARA_SECRET");
  if (production && (secret === undefined || secret.length < SECRET_LENGTH_MIN))
    faults.push(
      `AFARA_SECRET: production needs a secret of ${SECRET_LENGTH_MIN} characters or more (or AFARA_SECRET_FILE)`,
    );
  const testKey = text("AFARA_TEST_KEY");
  if (testKey !== undefined && production) faults.push("AFARA_TEST_KEY: there is no local account in production");
  if (testKey !== undefined && checkApiKeyFormat(testKey) !== "test")
    faults.push("AFARA_TEST_KEY: not a test key (afara_test_ and 36 characters with a right checksum)");

  const port = Number(text("AFARA_PORT") ?? 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    faults.push(`AFARA_PORT: "${text("AFARA_PORT")}" is not a port (0 to 65535)`);

  const leaseSeconds = Number(text("AFARA_LEASE_SECONDS") ?? LEASE_SECONDS.default);
  if (!Number.isInteger(leaseSeconds) || leaseSeconds < LEASE_SECONDS.min || leaseSeconds > LEASE_SECONDS.max)
    faults.push(
      `AFARA_LEASE_SECONDS: "${text("AFARA_LEASE_SECONDS")}" is not a whole number from ${LEASE_SECONDS.min} to ${LEASE_SECONDS.max}`,
    );

  const trustProxy = text("AFARA_TRUST_PROXY");
  for (const proxy of trustProxy?.split(",").map((part) => part.trim()) ?? [])
    if (!isProxy(proxy)) faults.push(`AFARA_TRUST_PROXY: "${proxy}" is no address and no CIDR block`);

  const databaseUrl = text("DATABASE_URL");
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl))
    faults.push("DATABASE_URL: must look like postgres://user:password@host:5432/database");

  const redisUrl = text("REDIS_URL");
  if (redisUrl !== undefined && !(/^rediss?:\/\//.test(redisUrl) && URL.canParse(redisUrl)))
    faults.push("REDIS_URL: must look like redis://user:password@host:6379/0 (rediss:// for TLS)");

  const dataDir = resolve(root, text("AFARA_DATA_DIR") ?? "data");
  const unwritable = whyNotWritable(dataDir);
  if (unwritable) faults.push(unwritable);

  const path = resolve(root, text("AFARA_CONFIG") ?? "afara.config.ts");
  const file = await readFile(path, adapters, faults);

  const config: Config = {
    host: text("AFARA_HOST") ?? "127.0.0.1",
    port,
    dataDir,
    databaseUrl,
    redisUrl,
    role: choice("AFARA_ROLE", ROLES, "all"),
    production,
    secret,
    testKey,
    trustProxy,
    logLevel: choice("AFARA_LOG_LEVEL", LOG_LEVELS, "info"),
    leaseSeconds,
    file,
  };
  return { config: Object.freeze(config), faults: [...new Set(faults)], warnings: unreadVariables(environment, read) };
}

/** Also the ranges that Fastify has names for, and a block by its mask (`10.0.0.0/255.0.0.0`). */
const isProxy = (text: string): boolean =>
  ["loopback", "linklocal", "uniquelocal"].includes(text) ||
  parseCidr(text) !== undefined ||
  (/^[^/]+\/[^/]+$/.test(text) && text.split("/").every((part) => isIP(part) === 4));

/** `AFARA_PROT=3` would otherwise be taken in silence. */
function unreadVariables(environment: Environment, read: ReadonlySet<string>): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith("AFARA_") && !read.has(name))
    .map((name) => {
      const [meant] = nearest(name, [...read]);
      return `${name}: Afara itself reads no variable of this name${meant === undefined ? "" : `; did you mean ${meant}?`}`;
    });
}

/** `NAME_FILE` names a file that holds the value: how orchestrators hand over secrets. */
function fromFile(environment: Environment, name: string, faults: string[]): string | undefined {
  const path = environment[`${name}_FILE`];
  if (!path) return undefined;
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    faults.push(`${name}_FILE: ${(error as Error).message}`);
    return undefined;
  }
}

async function readFile(path: string, adapters: readonly string[], faults: string[]): Promise<ConfigFile> {
  if (!existsSync(path)) {
    faults.push(`AFARA_CONFIG: there is no ${path}`);
    return {} as ConfigFile;
  }
  try {
    const { default: file } = (await import(pathToFileURL(path).href)) as { default: unknown };
    for (const fault of faultsOfConfig(file, adapters)) faults.push(`${path}: ${fault}`);
    return file as ConfigFile;
  } catch (error) {
    faults.push(`${path}: could not be loaded: ${(error as Error).message}`);
    return {} as ConfigFile;
  }
}

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
