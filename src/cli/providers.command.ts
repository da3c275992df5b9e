import { type Actor, audit } from "../accounts/audit.repo.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database, Db } from "../db/database.ts";
import { koboForPeople, koboToNaira, parseKobo } from "../kernel/kobo.ts";
import { type NodeRoute, nodeRoutes, pausedRoutes, pauseRoute, resumeRoute } from "../orders/nodes.repo.ts";
import { fundingVendor } from "../ports/funding.ts";
import { type Float, readFloats } from "../reconciliation/floats.repo.ts";
import { connectionText, contactOf, contactText, contactView, isConnected } from "./connections.ts";
import { CannotRun, type Report, tableWithNotes, timeText } from "./report.ts";

/**
 * The configured providers, the operator's pauses, and the connections that running nodes report. `ok`: each provider that has a
 * route and is not paused is connected on every node and has enough float.
 */
export async function providersStatus(db: Db, { providers, routes, funding }: ConfigFile): Promise<Report> {
  const paused = await pausedRoutes(db);
  const connections = Map.groupBy(await nodeRoutes(db), ({ route }) => route);
  const floats = await readFloats(db);
  const shown = Object.entries(providers).map(([name, { adapter, simulator, lowFloat }]) => {
    const own = routes.filter(({ provider }) => provider === name);
    return {
      name,
      adapter,
      simulated: simulator !== undefined,
      routes: own.map(({ service, modes, window, ratePerSecond }) => ({
        service,
        modes,
        window,
        rate_per_second: ratePerSecond,
      })),
      state: paused.has(name) ? "paused" : own.length > 0 ? "active" : "unused",
      reason: paused.get(name) ?? null,
      contact: contactView(contactOf(connections.get(name) ?? [])),
      float: floatView(floats.get(name), lowFloat),
      nodes: (connections.get(name) ?? []).map(({ node, ready, detail, since }) => ({
        node,
        ready,
        detail,
        since: since.toISOString(),
      })),
    };
  });
  const payer = funding && contactOf(connections.get(fundingVendor(funding.adapter)) ?? []);
  const rows = shown.map((row) => ({
    cells: [
      row.name,
      row.simulated ? `${row.adapter} (simulator)` : row.adapter,
      row.routes.map(({ service, modes }) => `${service} ${modes.join(", ")}`).join("; "),
      row.state,
    ],
    notes: [
      row.reason ?? "",
      row.state === "unused" ? "" : connectionText(connections.get(row.name) ?? []),
      contactNote(connections.get(row.name) ?? []),
      floatText(floats.get(row.name), row.float?.low ?? false),
    ],
  }));
  if (funding)
    rows.push({
      cells: [funding.adapter, funding.adapter, "top-ups", "active"],
      notes: [payer ? contactText(payer) : "no node is running"],
    });
  const ok =
    (!payer || payer.state === "reached") &&
    shown.every(
      ({ name, state, float }) => state !== "active" || (isConnected(connections.get(name) ?? []) && !float?.low),
    );
  return {
    ok,
    json: {
      ok,
      providers: shown,
      ...(funding && { funding: { adapter: funding.adapter, contact: contactView(payer ?? null) } }),
    },
    text: tableWithNotes(["PROVIDER", "ADAPTER", "ROUTES", "STATE"], rows),
  };
}

/** Empty if the vendor is not probed. */
function contactNote(reported: readonly NodeRoute[]): string {
  const contact = contactOf(reported);
  return contact ? contactText(contact) : "";
}

function floatView(float: Float | undefined, lowFloat: string | undefined) {
  if (!float) return null;
  const { at, balanceKobo, since, spentKobo, unexplainedKobo, undecidedKobo } = float;
  return {
    balance: koboToNaira(balanceKobo),
    at: at.toISOString(),
    low: lowFloat !== undefined && balanceKobo < parseKobo(lowFloat),
    since: since?.toISOString() ?? null,
    spent: spentKobo === null ? null : koboToNaira(spentKobo),
    unexplained: unexplainedKobo === null ? null : koboToNaira(unexplainedKobo),
    undecided: koboToNaira(undecidedKobo),
  };
}

function floatText(float: Float | undefined, low: boolean): string {
  if (!float) return "";
  const { at, balanceKobo, unexplainedKobo, undecidedKobo } = float;
  const underWay = undecidedKobo > 0n ? `, with up to ${koboForPeople(undecidedKobo)} of purchases pending` : "";
  const moved = unexplainedKobo
    ? `; ${koboForPeople(unexplainedKobo)} of the last change is unexplained${underWay}`
    : "";
  return `float ${koboForPeople(balanceKobo)} at ${timeText(at)}${low ? ": LOW, pay in" : ""}${moved}`;
}

const refuseUnknown = (name: string, { providers }: ConfigFile): void => {
  if (!(name in providers))
    throw new CannotRun(`There is no vendor "${name}"; configured: ${Object.keys(providers).join(", ")}.`);
};

/** Every node stops sending orders to it within a heartbeat, one second; orders in progress are finished. */
export async function providersPause(
  db: Database,
  config: ConfigFile,
  name: string,
  reason: string,
  actor: Actor,
): Promise<Report> {
  refuseUnknown(name, config);
  await db.transaction(async (tx) => {
    await pauseRoute(tx, name, reason);
    await audit(tx, { actor, action: "provider.pause", subject: name, reason });
  });
  return {
    ok: true,
    json: { name, state: "paused", reason },
    text: `${name} is paused (${reason}). Its orders wait or use another route. To undo: ./afara providers resume ${name}`,
  };
}

/** A provider no longer in the configuration can still be resumed, which removes its pause. */
export async function providersResume(db: Database, config: ConfigFile, name: string, actor: Actor): Promise<Report> {
  const was = await db.transaction(async (tx) => {
    const paused = await resumeRoute(tx, name);
    if (paused) await audit(tx, { actor, action: "provider.resume", subject: name });
    return paused;
  });
  if (!was) refuseUnknown(name, config);
  return {
    ok: true,
    json: { name, state: "active", was_paused: was },
    text: was ? `${name} receives orders again.` : `${name} was not paused.`,
  };
}
