import { byIndex } from "../db/by-index.ts";
import { callByName } from "../db/call-by-name.ts";
import type { Database, Db } from "../db/database.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { IS_PURCHASE_BEGUN } from "./attempt.repo.ts";
import { boundsOf, json, sparse } from "./columns.ts";
import type { Change, Order, Piece } from "./order.ts";

/** A row of `orders` as PostgreSQL gives it. */
export interface OrderRow {
  account_id: Uuid;
  id: Uuid;
  mode: "live" | "test";
  service: string;
  queue: string;
  state: string;
  version: number;
  priority: number;
  lease_epoch: number;
  leased_until: Date | null;
  ambiguity: Order["ambiguity"];
  attempt: number;
  route: string | null;
  attempt_reference: string | null;
  begun_at: Date | null;
  ambiguous_at: Date | null;
  tries: number;
  not_found_at: Date | null;
  failed_at: Date | null;
  tried: string[];
  pieces: Piece[] | null;
  price_kobo: bigint;
  tax_kobo: bigint;
  recipient: string;
  group_id: Uuid | null;
  reference: string | null;
  metadata: Record<string, string> | null;
  payload: unknown;
  facts: Record<string, unknown> | null;
  send_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
  ended_at: Date | null;
  due_at: Date | null;
  later_at: Date | null;
}

export const orderFrom = (row: OrderRow): Order => ({
  accountId: row.account_id,
  id: row.id,
  mode: row.mode,
  service: row.service,
  queue: row.queue,
  state: row.state,
  version: row.version,
  priority: row.priority,
  leaseEpoch: row.lease_epoch,
  leasedUntil: row.leased_until,
  ambiguity: row.ambiguity,
  attempt: row.attempt,
  route: row.route,
  attemptReference: row.attempt_reference,
  begunAt: row.begun_at,
  ambiguousAt: row.ambiguous_at,
  tries: row.tries,
  notFoundAt: row.not_found_at,
  failedAt: row.failed_at,
  tried: row.tried,
  pieces: row.pieces,
  priceKobo: kobo(row.price_kobo),
  taxKobo: kobo(row.tax_kobo),
  recipient: row.recipient,
  groupId: row.group_id,
  reference: row.reference,
  metadata: row.metadata,
  payload: row.payload,
  facts: row.facts,
  sendAt: row.send_at,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  endedAt: row.ended_at,
  dueAt: row.due_at ?? row.later_at,
});

/** What the values of one call are made of. */
interface ChangeBatch {
  readonly node: Uuid;
  readonly bounds: readonly [Uuid, Uuid];
  readonly changes: readonly Change[];
  readonly learned: readonly { readonly change: Change; readonly learned: Change["references"][number] }[];
}

const CHANGE_CALL = callByName<ChangeBatch>("change_orders", {
  p_node: ({ node }) => node,
  p_low: ({ bounds }) => bounds[0],
  p_high: ({ bounds }) => bounds[1],
  c_account: ({ changes }) => changes.map(({ before }) => before.accountId),
  c_order: ({ changes }) => changes.map(({ before }) => before.id),
  c_version: ({ changes }) => changes.map(({ before }) => before.version),
  c_epoch: ({ changes }) =>
    sparse(
      changes.map(({ before, needs }) =>
        needs === "own lease" ? before.leaseEpoch : needs === "no lease" ? -1 : null,
      ),
    ),
  c_state: ({ changes }) => changes.map(({ after }) => after.state),
  c_previous: ({ changes }) => changes.map(({ before }) => before.state),
  c_due: ({ changes }) => sparse(changes.map(({ dueAt }) => dueAt)),
  c_release: ({ changes }) => changes.map(({ keepLease }) => !keepLease),
  c_attempt: ({ changes }) => changes.map(({ after }) => after.attempt),
  c_route: ({ changes }) => sparse(changes.map(({ after }) => after.route)),
  c_reference: ({ changes }) => sparse(changes.map(({ after }) => after.attemptReference)),
  c_begun: ({ changes }) => sparse(changes.map(({ after }) => after.begunAt)),
  c_ambiguous: ({ changes }) => sparse(changes.map(({ after }) => after.ambiguousAt)),
  c_tries: ({ changes }) => changes.map(({ after }) => after.tries),
  c_not_found: ({ changes }) => sparse(changes.map(({ after }) => after.notFoundAt)),
  c_tried: ({ changes }) =>
    sparse(changes.map(({ before, after }) => (after.tried === before.tried ? null : json(after.tried)))),
  c_pieces: ({ changes }) => sparse(changes.map(({ after }) => json(after.pieces))),
  c_facts: ({ changes }) => sparse(changes.map(({ after }) => json(after.facts))),
  c_ended: ({ changes }) => sparse(changes.map(({ after }) => after.endedAt)),
  c_at: ({ changes }) => changes.map(({ at }) => at),
  c_money: ({ changes }) => sparse(changes.map(({ money }) => money ?? null)),
  c_taken: ({ changes }) => sparse(changes.map(({ takenKobo }) => takenKobo ?? null)),
  c_type: ({ changes }) => sparse(changes.map(({ event }) => event ?? null)),
  c_detail: ({ changes }) => sparse(changes.map(({ detail }) => json(detail))),
  c_group: ({ changes }) => sparse(changes.map(({ before }) => before.groupId)),
  c_event: ({ changes }) => sparse(changes.map(({ event }) => (event ? newUuid() : null))),
  r_route: ({ learned }) => learned.map((entry) => entry.learned.route),
  r_reference: ({ learned }) => learned.map((entry) => entry.learned.reference),
  r_account: ({ learned }) => learned.map((entry) => entry.change.before.accountId),
  r_order: ({ learned }) => learned.map((entry) => entry.change.before.id),
  r_attempt: ({ learned }) => learned.map((entry) => entry.learned.attempt),
  r_piece: ({ learned }) => learned.map((entry) => entry.learned.piece),
  c_failed: ({ changes }) => sparse(changes.map(({ after }) => after.failedAt)),
  c_own_begin: ({ changes }) =>
    sparse(changes.map(({ before, needs }) => (needs === "own begin" ? before.begunAt : null))),
});
const CHANGE = {
  name: "change_orders",
  text: `select stale_order, parked_route, parked_reference from ${CHANGE_CALL.text}`,
};

interface ChangeRow {
  stale_order: Uuid | null;
  parked_route: string | null;
  parked_reference: string | null;
}

export interface Applied {
  /** Orders whose change was based on an old version, or whose lease was lost: read again and decide anew. */
  readonly stale: ReadonlySet<Uuid>;
  /** References on which reports were parked: to be matched now. */
  readonly parked: readonly { readonly route: string; readonly reference: string }[];
}

/** Applies a batch of changes, at most one an order, in one transaction: the one that `db` is, or one of its own. */
export async function changeOrders(db: Database | Db, node: Uuid, changes: readonly Change[]): Promise<Applied> {
  const references = new Map<string, { change: Change; learned: Change["references"][number] }>();
  for (const change of changes)
    for (const learned of change.references)
      references.set(`${learned.route}\n${learned.reference}`, { change, learned });
  const learned = [...references.values()];
  const bounds = boundsOf(changes.map(({ before }) => before.id));
  const values = CHANGE_CALL.values({ node, bounds, changes, learned });
  const rows =
    "transact" in db ? await db.transact<ChangeRow>(CHANGE, values) : (await db.query<ChangeRow>(CHANGE, values)).rows;
  const stale = new Set<Uuid>();
  const parked: { route: string; reference: string }[] = [];
  for (const row of rows) {
    if (row.stale_order) stale.add(row.stale_order);
    else parked.push({ route: row.parked_route!, reference: row.parked_reference! });
  }
  return { stale, parked };
}

interface Claim {
  readonly node: Uuid;
  readonly leaseSeconds: number;
  readonly queue: string;
  readonly max: number;
  readonly now: Date;
}

const CLAIM_CALL = callByName<Claim>("claim_orders", {
  p_node: ({ node }) => node,
  p_lease_seconds: ({ leaseSeconds }) => leaseSeconds,
  p_queue: ({ queue }) => queue,
  p_max: ({ max }) => max,
  p_now: ({ now }) => now,
});
const CLAIM = { name: "claim_orders", text: `select * from ${CLAIM_CALL.text}` };

export async function claimOrders(db: Database, claim: Claim): Promise<readonly Order[]> {
  const rows = await db.transact<OrderRow>(CLAIM, CLAIM_CALL.values(claim));
  return rows.map(orderFrom);
}

/** Which of these queues have an order that is due. */
export async function dueQueues(db: Database, queues: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  const rows = await db.transact<{ queue: string }>(
    { name: "due_queues", text: "select queue from due_queues($1, $2) queue" },
    [queues, now],
  );
  return new Set(rows.map(({ queue }) => queue));
}

interface Renewal {
  readonly node: Uuid;
  readonly leaseSeconds: number;
  readonly orders: readonly Order[];
}

const RENEW_CALL = callByName<Renewal>("renew_leases", {
  p_node: ({ node }) => node,
  p_lease_seconds: ({ leaseSeconds }) => leaseSeconds,
  p_account: ({ orders }) => orders.map((order) => order.accountId),
  p_order: ({ orders }) => orders.map((order) => order.id),
  p_epoch: ({ orders }) => orders.map((order) => order.leaseEpoch),
});
const RENEW = { name: "renew_leases", text: `select lost_order from ${RENEW_CALL.text}` };

/** Extends the leases of orders that the node still holds; returns those it has lost. */
export async function renewLeases(
  db: Database,
  node: Uuid,
  leaseSeconds: number,
  orders: readonly Order[],
): Promise<readonly Uuid[]> {
  const rows = await db.transact<{ lost_order: Uuid }>(RENEW, RENEW_CALL.values({ node, leaseSeconds, orders }));
  return rows.map((row) => row.lost_order);
}

interface Release {
  readonly node: Uuid;
  readonly orders: readonly Order[];
  readonly afterMs: number;
}

const RELEASE_CALL = callByName<Release>("release_orders", {
  p_node: ({ node }) => node,
  p_account: ({ orders }) => orders.map((order) => order.accountId),
  p_order: ({ orders }) => orders.map((order) => order.id),
  p_epoch: ({ orders }) => orders.map((order) => order.leaseEpoch),
  p_after_ms: ({ afterMs }) => afterMs,
});
const RELEASE = { name: "release_orders", text: `select ${RELEASE_CALL.text}` };

/**
 * Gives leases back before they run out: the orders are due again after `afterMs`, by the
 * database's clock, as a node may give orders back because its own is wrong. Nothing else about them changes.
 */
export async function releaseOrders(
  db: Database,
  node: Uuid,
  orders: readonly Order[],
  afterMs: number,
): Promise<void> {
  await db.transact(RELEASE, RELEASE_CALL.values({ node, orders, afterMs }));
}

const FIND = {
  name: "find_orders",
  text: `select * from orders where account_id = any($1::uuid[]) and id = any($2::uuid[]) and id between $3 and $4`,
};

export async function findOrders(
  db: Db,
  keys: readonly Pick<Order, "accountId" | "id">[],
): Promise<ReadonlyMap<Uuid, Order>> {
  if (keys.length === 0) return new Map();
  const accounts = [...new Set(keys.map((key) => key.accountId))];
  const ids = keys.map((key) => key.id);
  const { rows } = await db.query<OrderRow>(FIND, [accounts, ids, ...boundsOf(ids)]);
  return new Map(rows.map((row) => [row.id, orderFrom(row)]));
}

export const findOrder = async (db: Db, accountId: Uuid, id: Uuid): Promise<Order | undefined> =>
  (await findOrders(db, [{ accountId, id }])).get(id);

/**
 * Due orders that nobody holds and that have come to an end by time alone: past their validity, or in one of the states that
 * time ends. The longest overdue first, so that none is passed over for ever; so those whose vendor has to be asked, which time
 * alone never ends, are not among them.
 */
export async function findOverdue(
  db: Database,
  queue: string,
  endedByTime: readonly string[],
  now: Date,
  limit: number,
): Promise<readonly Order[]> {
  const { rows } = await byIndex(db, (one) =>
    one.query<OrderRow>(
      {
        name: "find_overdue",
        text: `select * from orders where queue = $1 and due_at is not null and due_at <= $2
                and (expires_at <= $2 or state = any($3::text[]))
                and not ${IS_PURCHASE_BEGUN}
                and (leased_until is null or leased_until < clock_timestamp()) order by due_at limit $4`,
      },
      [queue, now, endedByTime, limit],
    ),
  );
  return rows.map(orderFrom);
}

/** Puts orders whose time has nearly come into the queue. Those far ahead stay out of it, so that claims never step over them. */
export async function wakeOrders(db: Db, now: Date): Promise<void> {
  await db.query({ name: "wake_orders", text: "select wake_orders($1)" }, [now]);
}

export interface TimelineRow {
  version: number;
  status: string;
  previous_status: string | null;
  type: string | null;
  sequence: number | null;
  at: Date;
  detail: Record<string, unknown> | null;
}

export async function readTimeline(db: Db, accountId: Uuid, orderId: Uuid): Promise<readonly TimelineRow[]> {
  const { rows } = await db.query<TimelineRow>(
    {
      name: "timeline",
      text: `select version, status, previous_status, type, sequence, at, detail from events
              where account_id = $1 and order_id = $2 order by version`,
    },
    [accountId, orderId],
  );
  return rows;
}

/** Which of these orders are the account's. */
export async function ownOrders(db: Db, accountId: Uuid, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
  if (ids.length === 0) return new Set();
  const { rows } = await db.query<{ id: Uuid }>(
    { name: "own_orders", text: "select id from orders where account_id = $1 and id = any($2::uuid[])" },
    [accountId, ids],
  );
  return new Set(rows.map((row) => row.id));
}
