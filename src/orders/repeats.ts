import type { Database } from "../db/database.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import { encodeId, GROUP_PREFIX, type IdPrefix, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { NotAccepted, OrderKey } from "./accept.repo.ts";
import { findGroup, type OrderGroup } from "./groups.repo.ts";
import type { Order } from "./order.ts";
import { findSpentKeys, forgetKey, KEY_KEPT_HOURS } from "./order-keys.repo.ts";
import { findOrder } from "./orders.repo.ts";

/** The request's idempotency key, and the fingerprint by which a repeat is recognised. */
export interface RequestKeys {
  readonly idempotencyKey: string | undefined;
  readonly fingerprint: Buffer;
  /** Stored with the order that the request makes; that of a repeat is not stored. */
  readonly requestId?: Uuid | undefined;
}

type Taken = Extract<NotAccepted, { kind: "taken" }>;

/** What the same key or reference made before: one of the two, or neither when it is gone. */
export interface Earlier {
  readonly order?: Order;
  readonly group?: OrderGroup;
}

/** Keys are unique within an account and mode. */
export interface KeyScope {
  readonly accountId: Uuid;
  readonly mode: Mode;
}

export const keysOf = ({ idempotencyKey, fingerprint }: RequestKeys, reference: string | undefined): OrderKey[] => [
  ...(idempotencyKey === undefined ? [] : [{ kind: "key" as const, key: idempotencyKey, fingerprint }]),
  ...(reference === undefined ? [] : [{ kind: "reference" as const, key: reference, fingerprint }]),
];

/** A key is over some time after the end of the order or group that spent it. A reference stays with its order for ever. */
function isOver(by: Taken["by"], { order, group }: Earlier, now: Date): boolean {
  const endedAt = (order ?? group)?.endedAt ?? null;
  const keptHours = order?.ambiguity === "requery" ? KEY_KEPT_HOURS.purchases : KEY_KEPT_HOURS.messages;
  return by === "key" && endedAt !== null && now.getTime() - endedAt.getTime() > keptHours * HOUR_MS;
}

/** Frees the key that a request found spent, if it is over. True: the request may be accepted anew. */
export async function forgetIfOver(
  db: Database,
  caller: KeyScope,
  taken: Taken,
  { idempotencyKey }: RequestKeys,
  now: Date,
): Promise<boolean> {
  if (idempotencyKey === undefined || taken.endedAt === null) return false;
  if (!isOver(taken.by, await targetOf(db, caller, taken.targetId), now)) return false;
  await forgetKey(db, caller.accountId, caller.mode, idempotencyKey, taken.targetId);
  return true;
}

/** The prefix of an order's public id: its service's. */
export type PrefixOf = (order: Pick<Order, "service">) => IdPrefix;

/** What a spent key or reference leads to: the order it made, or a refusal that says why not. */
export const repeated = async (
  db: Database,
  caller: KeyScope,
  taken: Pick<Taken, "by" | "targetId" | "fingerprint">,
  fingerprint: Buffer,
  prefixOf: PrefixOf,
): Promise<Result<Earlier>> => leadsTo(taken, await targetOf(db, caller, taken.targetId), fingerprint, prefixOf);

/** What the same request made before, if its key is still kept. */
export async function earlierTarget(
  db: Database,
  caller: KeyScope,
  keys: readonly OrderKey[],
  now: Date,
): Promise<Earlier | undefined> {
  for (const spent of await keptKeys(db, caller, keys, now))
    if (keys.some(({ fingerprint }) => fingerprint.equals(spent.fingerprint))) return spent.target;
  return undefined;
}

/** What an acceptance with these keys, all of one request, would be answered; undefined when they are free. */
export async function answerBefore(
  db: Database,
  caller: KeyScope,
  keys: readonly OrderKey[],
  now: Date,
  prefixOf: PrefixOf,
): Promise<Result<Earlier> | undefined> {
  const [spent] = await keptKeys(db, caller, keys, now);
  const fingerprint = keys[0]?.fingerprint;
  return spent && fingerprint && leadsTo(spent, spent.target, fingerprint, prefixOf);
}

/** The keys that are spent and not over, the idempotency key first. */
async function keptKeys(db: Database, caller: KeyScope, keys: readonly OrderKey[], now: Date) {
  const spent = await findSpentKeys(db, caller.accountId, caller.mode, keys);
  const all = await Promise.all(
    spent.map(async ({ kind, ...key }) => ({ by: kind, ...key, target: await targetOf(db, caller, key.targetId) })),
  );
  return all.filter(({ by, target }) => !isOver(by, target, now));
}

async function targetOf(db: Database, { accountId }: KeyScope, id: Uuid): Promise<Earlier> {
  const order = await findOrder(db, accountId, id);
  const group = order ? undefined : await findGroup(db, accountId, id);
  return { ...(order && { order }), ...(group && { group }) };
}

function leadsTo(
  { by, targetId, fingerprint: spentBy }: Pick<Taken, "by" | "targetId" | "fingerprint">,
  target: Earlier,
  fingerprint: Buffer,
  prefixOf: PrefixOf,
): Result<Earlier> {
  if (spentBy.equals(fingerprint)) return ok(target);
  const id = encodeId(target.order ? prefixOf(target.order) : GROUP_PREFIX, targetId);
  return refuse(
    by === "key"
      ? refusal(
          "idempotency_key_reused",
          "This Idempotency-Key was used for another request. Use a new key for each new order.",
          { members: { order_id: id } },
        )
      : refusal(
          "reference_already_used",
          `This reference belongs to ${id}. Use a reference of its own for each new order.`,
          { members: { order_id: id } },
        ),
  );
}
