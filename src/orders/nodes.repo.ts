import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Contact } from "../ports/provider.ts";
import { reviewKeys } from "./order-keys.repo.ts";

export async function registerNode(db: Db, node: Uuid, role: string): Promise<void> {
  await db.query("insert into nodes (id, role) values ($1, $2)", [node, role]);
}

export async function heartbeat(db: Db, node: Uuid): Promise<void> {
  await db.query("update nodes set heartbeat_at = clock_timestamp() where id = $1", [node]);
}

/** Takes back what dead nodes held: their orders are due at once, and recovered by what was committed of them. */
export async function takeBackFrom(db: Db, dead: readonly Uuid[]): Promise<number> {
  const { rowCount } = await db.query(
    `update orders set leased_by = null, leased_until = null, due_at = now()
      where leased_by = any($1::uuid[]) and due_at is not null`,
    [dead],
  );
  await db.query("delete from nodes where id = any($1::uuid[])", [dead]);
  return rowCount ?? 0;
}

export async function forgetNode(db: Db, node: Uuid): Promise<void> {
  await db.query("delete from nodes where id = $1", [node]);
}

export interface LiveNode {
  readonly id: Uuid;
  readonly role: string;
  readonly startedAt: Date;
}

/** Wrote a heartbeat within the last ten intervals. */
const IS_LIVING = "heartbeat_at > clock_timestamp() - interval '10 seconds'";

export async function liveNodes(db: Db): Promise<readonly LiveNode[]> {
  const { rows } = await db.query<{ id: Uuid; role: string; started_at: Date }>(
    `select id, role, started_at from nodes where ${IS_LIVING} order by started_at`,
  );
  return rows.map((row) => ({ id: row.id, role: row.role, startedAt: row.started_at }));
}

/** Living nodes that take requests. */
export async function countApiNodes(db: Db): Promise<number> {
  const { rows } = await db.query<{ nodes: bigint }>(
    `select count(*) as nodes from nodes where role <> 'dispatcher' and ${IS_LIVING}`,
  );
  return Number(rows[0]!.nodes);
}

/** What a node says of one of its routes. */
export interface RouteState {
  readonly route: string;
  /** Connected to the vendor. */
  readonly ready: boolean;
  /** Why it is not connected; or, connected, why no order leaves all the same. */
  readonly detail: string | null;
  /** What asking the vendor has shown; null: nobody asks it. */
  readonly contact: Contact["state"] | null;
  /** When it was last reached from here; null: not since the node's start. */
  readonly reachedAt: Date | null;
}

/** Written where something has changed, so that a row's time is the moment of its last change of `ready` or `contact`. */
export async function reportRoutes(db: Db, node: Uuid, states: readonly RouteState[]): Promise<void> {
  await db.query(
    `with told as (
       select * from unnest($2::text[], $3::boolean[], $4::text[], $5::text[], $6::timestamptz[]) s(route, ready, detail, contact, reached_at)),
     reached as (
       insert into vendors_reached as v (vendor, at) select route, reached_at from told where reached_at is not null
       on conflict (vendor) do update set at = excluded.at where v.at < excluded.at)
     insert into node_routes as r (node, route, ready, detail, contact)
     select $1, s.route, s.ready, s.detail, s.contact from told s where exists (select 1 from nodes where id = $1)
     on conflict (node, route) do update
       set ready = excluded.ready, detail = excluded.detail, contact = excluded.contact,
           at = case when (r.ready, r.contact) is not distinct from (excluded.ready, excluded.contact) then r.at else excluded.at end
     where (r.ready, r.detail, r.contact) is distinct from (excluded.ready, excluded.detail, excluded.contact)`,
    [
      node,
      states.map(({ route }) => route),
      states.map(({ ready }) => ready),
      states.map(({ detail }) => detail),
      states.map(({ contact }) => contact),
      states.map(({ reachedAt }) => reachedAt),
    ],
  );
}

export interface NodeRoute extends RouteState {
  readonly node: Uuid;
  /** Since when `ready` and `contact` are what they are. */
  readonly since: Date;
}

/** What the living nodes say of their routes. `reachedAt`: when any node last reached the vendor, living or not. */
export async function nodeRoutes(db: Db): Promise<readonly NodeRoute[]> {
  const { rows } = await db.query<NodeRoute>(
    `select r.node, r.route, r.ready, r.detail, r.contact, r.at as since,
            (select v.at from vendors_reached v where v.vendor = r.route) as "reachedAt"
       from node_routes r join nodes n on n.id = r.node where ${IS_LIVING} order by r.route, r.ready, r.at`,
  );
  return rows;
}

/** Nodes without a heartbeat for a day are gone for good. */
export async function forgetSilentNodes(db: Db): Promise<void> {
  await db.query("delete from nodes where heartbeat_at < clock_timestamp() - interval '1 day'");
  await db.query("delete from storage_probes where node not in (select id from nodes)");
}

/** How far the database's clock is ahead of this node's, with the round trip split evenly, and half of that as the doubt. */
export async function clockSkew(
  db: Db,
  nowMs: () => number,
): Promise<{ readonly skewMs: number; readonly doubtMs: number }> {
  const sentAt = nowMs();
  const { rows } = await db.query<{ now: Date }>("select clock_timestamp() as now");
  const answeredAt = nowMs();
  return {
    skewMs: rows[0]!.now.getTime() - (sentAt + answeredAt) / 2,
    doubtMs: Math.abs(answeredAt - sentAt) / 2,
  };
}

export async function pausedRoutes(db: Db): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ route: string; reason: string }>("select route, reason from route_pauses");
  return new Map(rows.map((row) => [row.route, row.reason]));
}

export async function pauseRoute(db: Db, route: string, reason: string): Promise<void> {
  await db.query(
    "insert into route_pauses (route, reason) values ($1, $2) on conflict (route) do update set reason = excluded.reason",
    [route, reason],
  );
}

export async function resumeRoute(db: Db, route: string): Promise<boolean> {
  return ((await db.query("delete from route_pauses where route = $1", [route])).rowCount ?? 0) > 0;
}

const FORGET_BATCH = 10_000;

/**
 * Deletes references that are too old for a report, keys that are over, and marks of purchases that are too old to be repeated: a
 * batch of each, so that locks are short. Returns whether there may be more.
 */
export async function forgetOld(db: Db): Promise<boolean> {
  const references = await db.query(
    `delete from provider_references where ctid in (
       select ctid from provider_references where created_at < now() - interval '30 days' limit $1)`,
    [FORGET_BATCH],
  );
  const keys = await reviewKeys(db, FORGET_BATCH);
  await db.query("delete from key_spend where day < current_date - 60");
  // Twice what a repeat is looked for, and more: clocks differ.
  const twins = await db.query(
    "delete from twins where ctid in (select ctid from twins where at < now() - interval '1 hour' limit $1)",
    [FORGET_BATCH],
  );
  return [references.rowCount ?? 0, keys, twins.rowCount ?? 0].some((rows) => rows === FORGET_BATCH);
}
