import { isSecretOf, OTHER_SECRET } from "../accounts/secret.ts";
import { countByPlan } from "../accounts/subscriptions.repo.ts";
import { dataDirFaults, whyNotTogether } from "../app/installation.ts";
import { onOffer } from "../app/services.ts";
import type { Config } from "../config/gateway-config.ts";
import { probeUntil } from "../counters/failover-counters.ts";
import { RedisCounters } from "../counters/redis-counters.ts";
import { readContents } from "../db/contents.ts";
import type { Database, Db } from "../db/database.ts";
import { missingMigrations } from "../db/migrate.ts";
import { missingPartitions, strayRows } from "../db/partitions.ts";
import { waitingForService } from "../orders/inspect.repo.ts";
import { clockSkew, liveNodes, nodeRoutes, pausedRoutes } from "../orders/nodes.repo.ts";
import { fundingVendor } from "../ports/funding.ts";
import { connectionText, contactOf, contactText, isConnected } from "./connections.ts";
import { migrationsOf } from "./migrate.command.ts";
import { CannotRun, type Report, tableText } from "./report.ts";
import { secretOf } from "./secret.ts";
import { readSettings, type Surroundings, withDatabase } from "./session.ts";

/** A node's work, by its `AFARA_ROLE`. */
const NODE_WORDS: Readonly<Record<string, string>> = {
  all: "accepts requests and sends",
  api: "accepts requests",
  dispatcher: "sends",
};

interface Check {
  readonly check: string;
  /** `note`: information, not a fault. */
  readonly level: "ok" | "note" | "fault";
  /** One line per finding. */
  readonly detail: string;
}

/** A gateway with a larger clock skew refuses to start; the doctor reports it beforehand. */
const SKEW_MS_MAX = 5_000;
const COUNTERS_ANSWER_MS = 2_000;

const verdict = (check: string, faults: readonly string[], fine: string): Check =>
  faults.length > 0 ? { check, level: "fault", detail: faults.join("\n") } : { check, level: "ok", detail: fine };

/** Checks everything a gateway needs without changing anything, and explains how to fix each fault. */
export async function doctor(surroundings: Surroundings): Promise<Report> {
  const { config, faults, vendorFaults, warnings } = await readSettings(surroundings);
  const isReadable = faults.length === vendorFaults.length;
  const checks: Check[] = [verdict("configuration", faults, "environment and file are valid")];
  const place = !isReadable ? [] : dataDirFaults(config.dataDir, config.databaseUrl === undefined);
  if (place.length > 0) checks.push(verdict("data directory", place, ""));
  if (warnings.length > 0) checks.push({ check: "environment", level: "note", detail: warnings.join("\n") });
  if (isReadable) checks.push(vendorsCheck(config));
  try {
    checks.push(
      ...(await withDatabase(config, (db) => databaseChecks(db, surroundings, isReadable ? config : undefined))),
    );
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    checks.push({ check: "database", level: "fault", detail: error.message });
  }

  if (config.redisUrl !== undefined) checks.push(await countersCheck(config.redisUrl));

  const ok = checks.every(({ level }) => level !== "fault");
  const marks = { ok: "✔", note: "•", fault: "✖" } as const;
  const rows = checks.flatMap(({ check, level, detail }) =>
    detail.split("\n").map((line, index) => [index === 0 ? `${marks[level]} ${check}` : "", line]),
  );
  return { ok, json: { ok, checks }, text: tableText(["CHECK", "FOUND"], rows) };
}

/** Which services can serve live keys: a gateway with only simulators is fine in development, but not in production. */
function vendorsCheck({ file, production }: Config): Check {
  const idle = Object.keys(onOffer(file).services).filter(
    (service) => !file.routes.some((route) => route.service === service && route.modes.includes("live")),
  );
  if (idle.length === 0)
    return { check: "vendors", level: "ok", detail: "a live route is configured for every service" };
  return {
    check: "vendors",
    level: production ? "fault" : "note",
    detail: `no live route for ${idle.join(", ")}: only test keys can use it; docs/providers has a page for each supported vendor`,
  };
}

/** Counts one point, which also detects a read-only or full server. */
async function countersCheck(redisUrl: string): Promise<Check> {
  const counters = new RedisCounters(redisUrl, COUNTERS_ANSWER_MS);
  try {
    await probeUntil(counters, COUNTERS_ANSWER_MS);
    return { check: "counters", level: "ok", detail: "the server at REDIS_URL counts for all nodes" };
  } catch (error) {
    const { message } = error as Error;
    const detail = `the server at REDIS_URL does not count (${message}): meanwhile, each node enforces its share of the limits`;
    return { check: "counters", level: "fault", detail };
  } finally {
    counters.close();
  }
}

/** Finds accounts whose plan was removed from the configuration: they can use nothing. */
async function plansCheck(db: Db, file: Config["file"]): Promise<Check> {
  const configured = new Set(
    Object.entries(file.services).flatMap(([service, { plans }]) => plans.map(({ id }) => `${service} ${id}`)),
  );
  const gone = (await countByPlan(db)).filter(({ service, plan }) => !configured.has(`${service} ${plan}`));
  return verdict(
    "plans",
    gone.map(
      ({ service, plan, accounts }) =>
        `${accounts} account(s) on plan "${plan}" of ${service}, which is not in the configuration: restore the plan, or move the accounts (./afara subscribe)`,
    ),
    "every subscription's plan is in the configuration",
  );
}

/** Finds open orders of services that were removed from the configuration: their money stays held. */
async function waitingCheck(db: Database, file: Config["file"]): Promise<Check> {
  const waiting = await waitingForService(db, Object.keys(file.services));
  return waiting === undefined
    ? { check: "services", level: "ok", detail: "no order waits for a service that is not configured" }
    : { check: "services", level: "note", detail: waiting };
}

/** Advice for a failing connection, by the system's error code. */
const MENDING: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, "check the host name in its settings, and this machine's DNS"],
  [/ECONNREFUSED/, "check the host and port in its settings: nothing listens there"],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, "check the host and port in its settings, and any firewall or VPN in between"],
];

function mendingOf(text: string): string {
  const advice = MENDING.find(([pattern]) => pattern.test(text))?.[1];
  return advice === undefined ? "" : `; ${advice}`;
}

/**
 * Reports whether each vendor is connected on every node, or why not, and when it was last reached. Paused providers are not
 * checked, and none is while no node is running.
 */
async function connectionsCheck(db: Db, { routes, funding }: Config["file"]): Promise<Check> {
  const paused = await pausedRoutes(db);
  const reported = Map.groupBy(await nodeRoutes(db), ({ route }) => route);
  if (reported.size === 0) return { check: "connections", level: "note", detail: "no node that dispatches is running" };
  const expected = [...new Set(routes.map(({ provider }) => provider))].filter((name) => !paused.has(name));
  const vendors = [
    ...expected.map((name) => [name, reported.get(name) ?? []] as const),
    ...(funding ? [[funding.adapter, reported.get(fundingVendor(funding.adapter)) ?? []] as const] : []),
  ].map(([name, nodes]) => {
    const contact = contactOf(nodes);
    const connected = connectionText(nodes);
    // The connection's trouble is often the contact's too: it is shown once.
    const isSaid = contact?.detail != null && connected.includes(contact.detail);
    const reached = contact ? `; ${contactText(isSaid ? { ...contact, detail: null } : contact)}` : "";
    const text = `${connected}${reached}${mendingOf(`${connected}${reached}`)}`;
    return { isConnected: isConnected(nodes), text: `${name}: ${text}` };
  });
  const faults = vendors.filter((vendor) => !vendor.isConnected).map(({ text }) => text);
  return verdict("connections", faults, vendors.map(({ text }) => text).join("\n") || "no provider has a route");
}

/** Compares this machine's secret with the database's. */
async function secretCheck(db: Db, config: Config): Promise<Check> {
  const secret = secretOf(config);
  if (secret === undefined)
    return { check: "secret", level: "note", detail: "neither AFARA_SECRET nor a stored secret" };
  return verdict(
    "secret",
    (await isSecretOf(db, secret)) === false ? [OTHER_SECRET] : [],
    "matches this database's keys",
  );
}

async function databaseChecks(
  db: Database,
  { root, clock }: Surroundings,
  config: Config | undefined,
): Promise<readonly Check[]> {
  const migrations = migrationsOf(root);
  const missing = await missingMigrations(db, migrations);
  const reason = config && whyNotTogether(config.dataDir, await readContents(db));
  const reached = verdict("database", reason === undefined ? [] : [reason], "reached");
  const migrated = verdict(
    "migrations",
    missing.length === 0 ? [] : [`${missing.length} of ${migrations.length} are not applied: run ./afara migrate`],
    `all ${migrations.length} are applied`,
  );
  if (missing.length > 0) return [reached, migrated];

  const { skewMs } = await clockSkew(db, () => clock.now().getTime());
  const absent = await missingPartitions(db);
  const stray = await strayRows(db);
  const nodes = await liveNodes(db);
  const paused = [...(await pausedRoutes(db))];
  return [
    reached,
    migrated,
    verdict(
      "clock",
      Math.abs(skewMs) > SKEW_MS_MAX
        ? [`${(skewMs / 1000).toFixed(1)} s from the database's; synchronise this machine's clock (NTP)`]
        : [],
      `${Math.abs(Math.round(skewMs))} ms from the database's`,
    ),
    verdict(
      "partitions",
      [
        ...(absent.length > 0
          ? [`${absent.join(", ")} missing: a running gateway or ./afara migrate creates them`]
          : []),
        ...(stray > 0n ? [`${stray} rows are outside them; a machine's clock was wrong`] : []),
      ],
      "created ahead, with no rows outside them",
    ),
    {
      check: "nodes",
      level: nodes.length > 0 ? "ok" : "note",
      detail:
        nodes.length > 0
          ? `${nodes.length} running: ${nodes.map(({ role, startedAt }) => `${NODE_WORDS[role] ?? role} since ${startedAt.toISOString()}`).join(", ")}`
          : "none is running",
    },
    {
      check: "pauses",
      level: paused.length > 0 ? "note" : "ok",
      detail:
        paused.length > 0 ? paused.map(([name, reason]) => `${name} (${reason})`).join(", ") : "no vendor is paused",
    },
    ...(config
      ? [
          await plansCheck(db, config.file),
          await waitingCheck(db, config.file),
          await connectionsCheck(db, config.file),
          await secretCheck(db, config),
        ]
      : []),
  ];
}
