import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { checkApiKeyFormat, makeApiKey } from "./accounts/api-key.ts";
import { buildApp } from "./app/app.ts";
import type { Outside } from "./app/gateway.ts";
import { dataDirFaults, openInstallation } from "./app/installation.ts";
import { occupantsOf } from "./app/node-file.ts";
import { ConfigurationFault } from "./app/vendors.ts";
import { dataFile, projectRoot, readConfig } from "./config/config.ts";
import type { Config } from "./config/gateway-config.ts";
import { guardEmbedded } from "./db/embedded-guard.ts";
import { readSchema } from "./db/migrate.ts";
import type { Clock } from "./kernel/clock.ts";

/** Environment in, roles started, signals handled. The only file that reads the clock, the environment and randomness. */

const ROOT = projectRoot(import.meta.filename);
const MIGRATIONS = join(ROOT, "migrations");
const HARD_STOP_MS = 25_000;
const LOG_BYTES_MAX = 16 * 1024 * 1024;

const clock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };
const say = (line: string) => process.stderr.write(`${line}\n`);

/** The database says with an error which row it is about, and that may be a customer's. */
function withoutRow(error: Error & { code?: unknown }) {
  const { type, message, stack } = pino.stdSerializers.err(error);
  return { type, message, stack, ...(error.code !== undefined && { code: error.code }) };
}

/** One clear message with everything that is wrong, exit code 1, no stack. */
function refuseToStart(faults: readonly string[]): never {
  say(`Afara can't start:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
  process.exit(1);
}

async function main(): Promise<void> {
  const { config, faults, warnings } = await readConfig(process.env, ROOT);
  const log = pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: withoutRow },
    },
    // Written beside the work, so that a reader who stalls stops nothing; lines beyond this much that wait for it are lost.
    pino.destination({ dest: 2, sync: false, maxLength: LOG_BYTES_MAX }),
  );
  const outsideLog: Outside["log"] = {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
  };
  const all = [
    ...faults,
    ...(await portFaults(config)),
    ...(config.production ? await adminPortFaults(config) : []),
    ...(await databaseFaults(config)),
    ...(faults.length > 0 ? [] : dataDirFaults(config.dataDir, config.databaseUrl === undefined)),
  ];
  for (const warning of warnings) say(`Warning: ${warning}`);
  if (!config.production)
    for (const fault of await adminPortFaults(config)) say(`Warning: ${fault}. Until then there is no /metrics.`);
  if (all.length > 0) refuseToStart(all);

  const { embedded, connection, secret } = await openInstallation({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    secret: knownSecret(config),
    makeSecret: () => keptSecret(config, "secret", () => randomBytes(32).toString("base64url")),
    schema: readSchema(MIGRATIONS),
    log: outsideLog,
    say,
  });
  const guard = embedded && (await guardEmbedded(embedded, outsideLog));
  const stopDatabase = async () => {
    await guard?.stop();
    await embedded?.stop();
  };
  const app = await buildApp(config, {
    clock,
    log: outsideLog,
    fetch,
    connection,
    secret,
    migrationsDir: MIGRATIONS,
  }).catch(async (error: Error) => {
    // A server that was found running may be another gateway's.
    if (!embedded?.adopted) await stopDatabase();
    throw error;
  });

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) process.exit(1); // a second Ctrl-C means now
    stopping = true;
    say(`${signal}: finishing what is under way …`);
    setTimeout(() => process.exit(1), HARD_STOP_MS).unref();
    // What is under way is in the database: a step that fails on the way down (the database may be away) holds nothing up.
    const goOn = (error: Error) =>
      log.error({ err: error }, "not all of it stopped in order; the next start takes it up");
    const { alone } = await app
      .stop({ drainSeconds: signal === "SIGINT" ? 0 : drainSeconds(config) })
      .catch((error) => {
        goOn(error);
        return { alone: occupantsOf(config.dataDir).length === 0 };
      });
    if (alone) await stopDatabase().catch(goOn);
    else say("Another gateway uses this data directory: the database server goes on.");
    process.exit(0);
  };
  process.on("SIGINT", () => void stop("SIGINT"));
  process.on("SIGTERM", () => void stop("SIGTERM"));

  const testKey = config.production ? undefined : testKeyOf(config);
  const entry = testKey === undefined ? undefined : await app.localLink(await app.ensureLocalAccount(testKey));
  const { port, adminPort, vendorsControl } = await app.start();
  greet(config, { base: baseOf(config, port), entry, adminPort, testKey, vendorsControl });
}

/** Behind a load balancer the node keeps serving until it is known to be gone; alone there is nobody to wait for. */
const drainSeconds = (config: Config): number => (config.production ? 5 : 0);

async function portFaults(config: Config): Promise<string[]> {
  return config.role === "dispatcher" ? [] : faultsOfPort({ ...config, variable: "AFARA_PORT", other: "8081" });
}

async function adminPortFaults({ admin: { host, port } }: Config): Promise<string[]> {
  return port === undefined ? [] : faultsOfPort({ host, port, variable: "AFARA_ADMIN_PORT", other: "9091" });
}

interface PortToTry {
  readonly host: string;
  readonly port: number;
  readonly variable: string;
  /** Another port, as an example. */
  readonly other: string;
}

async function faultsOfPort({ host, port, variable, other }: PortToTry): Promise<string[]> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) return []; // told with the variables
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", ({ code }: NodeJS.ErrnoException) =>
      resolve([
        code === "EADDRINUSE"
          ? `${variable}: port ${port} on ${host} is taken; stop what uses it or choose another, e.g. ${variable}=${other}`
          : `${variable.replace("PORT", "HOST")}, ${variable}: can't listen on ${host}:${port} (${code})`,
      ]),
    );
    probe.listen(port, host, () => probe.close(() => resolve([])));
  });
}

async function databaseFaults({ databaseUrl }: Config): Promise<string[]> {
  if (databaseUrl === undefined || !/^postgres(ql)?:\/\//.test(databaseUrl)) return [];
  if (!URL.canParse(databaseUrl)) return []; // told with the variables
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined); // a connection that breaks fails the question as well
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>("show server_version_num");
    const version = Math.floor(Number(Object.values(rows[0]!)[0]) / 10_000);
    return version >= 15 ? [] : [`DATABASE_URL: PostgreSQL ${version} is too old; 15 or newer is needed`];
  } catch (error) {
    const { hostname, port } = new URL(databaseUrl);
    return [
      `DATABASE_URL: can't connect to ${hostname}:${port || 5432}: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`,
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** In local mode secrets are made once and kept in the data directory, readable by this user only. */
function keptSecret(config: Config, file: string, make: () => string): string {
  const path = dataFile(config, file);
  if (!existsSync(path)) {
    // Renamed into place: a kill between must not leave an empty secret behind.
    writeFileSync(`${path}.new`, `${make()}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }
  return readFileSync(path, "utf8").trim();
}

const knownSecret = (config: Config): string | undefined =>
  config.secret ??
  (existsSync(dataFile(config, "secret")) ? readFileSync(dataFile(config, "secret"), "utf8").trim() : undefined);

function testKeyOf(config: Config): string {
  if (config.testKey !== undefined) return config.testKey;
  const key = keptSecret(config, "test-key", () => makeApiKey("test", randomBytes));
  if (checkApiKeyFormat(key) !== "test")
    refuseToStart([`${dataFile(config, "test-key")} is damaged; delete it and a new key is made`]);
  return key;
}

/** Where browsers of this machine reach the gateway. */
function baseOf({ host }: Config, port: number): string {
  const isOwn = ["0.0.0.0", "::", "127.0.0.1"].includes(host);
  return `http://${isOwn ? "localhost" : host}:${port}`;
}

interface Started {
  readonly base: string;
  /** The path that signs in the owner of the local account, once. */
  readonly entry: string | undefined;
  readonly adminPort: number | undefined;
  readonly testKey: string | undefined;
  readonly vendorsControl: string | undefined;
}

function greet(config: Config, { base, entry, adminPort, testKey, vendorsControl }: Started): void {
  const metrics =
    adminPort === undefined ? "" : `Metrics for Prometheus: http://${config.admin.host}:${adminPort}/metrics\n`;
  if (config.role === "dispatcher") {
    process.stdout.write(`Afara dispatches. This node takes no requests.\n${metrics}`);
    return;
  }
  process.stdout.write(
    testKey === undefined
      ? `Afara listens on ${base}\n${metrics}`
      : `
Afara listens on ${base}   (reference: ${base}/docs)
Test key: ${testKey}
Portal: ${base}${entry}   (signs you in once, within a day)
${vendorsControl === undefined ? "" : `Simulated vendors are steered at ${vendorsControl}   (docs/guides/vendor-simulators.md)\n`}${metrics}
Send an SMS to the simulator:

curl -s ${base}/sms/send -H 'X-API-Key: ${testKey}' -H 'Content-Type: application/json' -d '{"to":"08031234567","message":"Hello from Afara"}'

Ctrl-C stops everything in order.
`,
  );
}

try {
  await main();
} catch (error) {
  if (error instanceof ConfigurationFault) refuseToStart(error.faults);
  refuseToStart([(error as Error).message]);
}
