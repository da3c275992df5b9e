import { isSecretOf, OTHER_SECRET } from "../accounts/secret.ts";
import { countByPlan } from "../accounts/subscriptions.repo.ts";
import { dataDirFaults, whyNotTogether } from "../app/installation.ts";
import { onOffer } from "../app/services.ts";
import type { Config } from "../config/gateway-config.ts";
import { probeUntil } from "../counters/failover-counters.ts";
import { RedisCounters } from "../counters/redis-counters.ts";
import { readContents } from "../db/contents.ts";
import type { Db } from "../db/database.ts";
import { missingMigrations } from "../db/migrate.ts";
import { missingPartitions, strayRows } from "../db/partitions.ts";
import { clockSkew, liveNodes, nodeRoutes, pausedRoutes } from "../orders/nodes.repo.ts";
import { fundingVendor } from "../ports/funding.ts";
import { connectionText, contactOf, contactText, isConnected } from "./connections.ts";
import { migrationsOf } from "./migrate.command.ts";
import { CannotRun, type Report, tableText } from "./report.ts";
import { secretOf } from "./secret.ts";
import { readSettings, type Surroundings, withDatabase } from "./session.ts";

/** What a node does, by its `AFARA_ROLE`. */
const NODE_WORDS: Readonly<Record<string, string>> = {
  all: "one that takes requests and sends",
  api: "one that takes requests",
  dispatcher: "one that sends",
};

interface Check {
  readonly check: string;
  /** `note`: worth knowing, and no fault. */
  readonly level: "ok" | "note" | "fault";
  /** A line for each thing that was found. */
  readonly detail: string;
}

/** A gateway whose clock is further off refuses to start; a doctor says so before. */
const SKEW_MS_MAX = 5_000;
const COUNTERS_ANSWER_MS = 2_000;

const verdict = (check: string, faults: readonly string[], fine: string): Check =>
  faults.length > 0 ? { check, level: "fault", detail: faults.join("\n") } : { check, level: "ok", detail: fine };

/** Looks at everything that a gateway needs, changes nothing, and says of each fault how to mend it. */
export async function doctor(surroundings: Surroundings): Promise<Report> {
  const { config, faults, vendorFaults, warnings } = await readSettings(surroundings);
  const isReadable = faults.length === vendorFaults.length;
  const checks: Check[] = [verdict("configuration", faults, "environment and file are in order")];
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

/** Which services can serve live keys: a gateway with simulators alone is fine on one's own machine, and only there. */
function vendorsCheck({ file, production }: Config): Check {
  const idle = Object.keys(onOffer(file).services).filter(
    (service) => !file.routes.some((route) => route.service === service && route.modes.includes("live")),
  );
  if (idle.length === 0)
    return { check: "vendors", level: "ok", detail: "a live route is configured for every service" };
  return {
    check: "vendors",
    level: production ? "fault" : "note",
    detail: `no live route for ${idle.join(", ")}: only test keys can use it; docs/providers has a page for each vendor that can be added`,
  };
}

/** Counts one point, so that a server that only reads, or is full, is found as well. */
async function countersCheck(redisUrl: string): Promise<Check> {
  const counters = new RedisCounters(redisUrl, COUNTERS_ANSWER_MS);
  try {
    await probeUntil(counters, COUNTERS_ANSWER_MS);
    return { check: "counters", level: "ok", detail: "the server that REDIS_URL names counts for all nodes" };
  } catch (error) {
    const { message } = error as Error;
    const detail = `the server that REDIS_URL names does not count (${message}): until it does, each node counts its share of the limits`;
    return { check: "counters", level: "fault", detail };
  } finally {
    counters.close();
  }
}

/** A plan that was taken out of the configuration gives nothing to the accounts that are on it. */
async function plansCheck(db: Db, file: Config["file"]): Promise<Check> {
  const configured = new Set(
    Object.entries(file.services).flatMap(([service, { plans }]) => plans.map(({ id }) => `${service} ${id}`)),
  );
  const gone = (await countByPlan(db)).filter(({ service, plan }) => !configured.has(`${service} ${plan}`));
  return verdict(
    "plans",
    gone.map(
      ({ service, plan, accounts }) =>
        `${accounts} account(s) on plan "${plan}" of ${service}, which is not in the configuration: put it back, or move them (./afara subscribe)`,
    ),
    "every subscription's plan is in the configuration",
  );
}

/** What to do about a connection that fails, by the system's word for it. */
const MENDING: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, "check the host name in its settings, and this machine's DNS"],
  [/ECONNREFUSED/, "check host and port in its settings: nothing listens there"],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/, "check host and port in its settings, and the firewall or VPN in between"],
];

function mendingOf(text: string): string {
  const advice = MENDING.find(([pattern]) => pattern.test(text))?.[1];
  return advice === undefined ? "" : `; ${advice}`;
}

/**
 * Connected on every node, or why not; and of each vendor whether and when it was reached. Nothing is expected of a paused provider, or
 * while no node is running.
 */
async function connectionsCheck(db: Db, { routes, funding }: Config["file"]): Promise<Check> {
  const paused = await pausedRoutes(db);
  const told = Map.groupBy(await nodeRoutes(db), ({ route }) => route);
  if (told.size === 0) return { check: "connections", level: "note", detail: "no node that dispatches is running" };
  const expected = [...new Set(routes.map(({ provider }) => provider))].filter((name) => !paused.has(name));
  const vendors = [
    ...expected.map((name) => [name, told.get(name) ?? []] as const),
    ...(funding ? [[funding.adapter, told.get(fundingVendor(funding.adapter)) ?? []] as const] : []),
  ].map(([name, nodes]) => {
    const contact = contactOf(nodes);
    const connected = connectionText(nodes);
    // Why it is not connected is often why it was not reached: that is said once.
    const isSaid = contact?.detail != null && connected.includes(contact.detail);
    const reached = contact ? `; ${contactText(isSaid ? { ...contact, detail: null } : contact)}` : "";
    const text = `${connected}${reached}${mendingOf(`${connected}${reached}`)}`;
    return { isConnected: isConnected(nodes), text: `${name}: ${text}` };
  });
  const faults = vendors.filter((vendor) => !vendor.isConnected).map(({ text }) => text);
  return verdict("connections", faults, vendors.map(({ text }) => text).join("\n") || "no provider has a route");
}

/** This machine's secret against the database's. */
async function secretCheck(db: Db, config: Config): Promise<Check> {
  const secret = secretOf(config);
  if (secret === undefined)
    return { check: "secret", level: "note", detail: "neither AFARA_SECRET nor a kept one here" };
  return verdict(
    "secret",
    (await isSecretOf(db, secret)) === false ? [OTHER_SECRET] : [],
    "the one that the keys in this database were made with",
  );
}

async function databaseChecks(
  db: Db,
  { root, clock }: Surroundings,
  config: Config | undefined,
): Promise<readonly Check[]> {
  const migrations = migrationsOf(root);
  const missing = await missingMigrations(db, migrations);
  const reason = config && whyNotTogether(config.dataDir, await readContents(db));
  const reached = verdict("database", reason === undefined ? [] : [reason], "reached");
  const migrated = verdict(
    "migrations",
    missing.length === 0 ? [] : [`${missing.length} of ${migrations.length} are missing: ./afara migrate applies them`],
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
        ? [`${(skewMs / 1000).toFixed(1)} s from the database's; set this machine's clock right (NTP)`]
        : [],
      `${Math.abs(Math.round(skewMs))} ms from the database's`,
    ),
    verdict(
      "partitions",
      [
        ...(absent.length > 0
          ? [`${absent.join(", ")} missing: a running gateway makes them, and so does ./afara migrate`]
          : []),
        ...(stray > 0n ? [`${stray} rows fell outside them; a machine's clock was wrong`] : []),
      ],
      "made ahead, and no row outside them",
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
      ? [await plansCheck(db, config.file), await connectionsCheck(db, config.file), await secretCheck(db, config)]
      : []),
  ];
}
