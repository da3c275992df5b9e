import type { Database } from "../db/database.ts";
import { encodeId } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { NotAccepted, OrderKey } from "../orders/accept.repo.ts";
import { findGroup, type OrderGroup } from "../orders/groups.repo.ts";
import type { Order } from "../orders/order.ts";
import { findSpentKeys } from "../orders/order-keys.repo.ts";
import { findOrder } from "../orders/orders.repo.ts";
import type { SmsCaller } from "./terms.ts";

/** How the request names itself, for repeats. */
export interface RequestKeys {
  readonly idempotencyKey: string | undefined;
  readonly fingerprint: Buffer;
}

type Taken = Extract<NotAccepted, { kind: "taken" }>;

/** What the same key or reference made before: one of the two, or neither when it is gone. */
export interface Earlier {
  readonly order?: Order;
  readonly group?: OrderGroup;
}

/** How long an idempotency key is kept after its message's end. */
const KEY_KEPT_MS = 72 * 3_600_000;

export const keysOf = ({ idempotencyKey, fingerprint }: RequestKeys, reference: string | undefined): OrderKey[] => [
  ...(idempotencyKey === undefined ? [] : [{ kind: "key" as const, key: idempotencyKey, fingerprint }]),
  ...(reference === undefined ? [] : [{ kind: "reference" as const, key: reference, fingerprint }]),
];

export const isForgettable = (taken: Pick<Taken, "by" | "endedAt">, now: Date): boolean =>
  taken.by === "key" && taken.endedAt !== null && now.getTime() - taken.endedAt.getTime() > KEY_KEPT_MS;

/** What a spent key or reference leads to: the order it made, or a refusal that says why not. */
export async function repeated(
  db: Database,
  caller: SmsCaller,
  taken: Taken,
  fingerprint: Buffer,
): Promise<Result<Earlier>> {
  const order = await findOrder(db, caller.accountId, taken.targetId);
  const group = order ? undefined : await findGroup(db, caller.accountId, taken.targetId);
  if (taken.fingerprint.equals(fingerprint)) return ok({ ...(order && { order }), ...(group && { group }) });
  const id = order ? encodeId("msg", taken.targetId) : encodeId("blk", taken.targetId);
  return refuse(
    taken.by === "key"
      ? refusal(
          "idempotency_key_reused",
          "This Idempotency-Key was used for another request. Use a new key for each new message.",
          {
            members: { order_id: id },
          },
        )
      : refusal(
          "reference_already_used",
          `This reference belongs to ${id}. Use a reference of its own for each new message.`,
          {
            members: { order_id: id },
          },
        ),
  );
}

/** What the very same request made before, if its key is still kept. */
export async function earlierTarget(
  db: Database,
  caller: SmsCaller,
  keys: readonly OrderKey[],
  now: Date,
): Promise<Earlier | undefined> {
  for (const { kind, targetId } of await findSpentKeys(db, caller.accountId, caller.mode, keys)) {
    const order = await findOrder(db, caller.accountId, targetId);
    const group = order ? undefined : await findGroup(db, caller.accountId, targetId);
    const endedAt = (order ?? group)?.endedAt ?? null;
    if (!isForgettable({ by: kind, endedAt }, now)) return { ...(order && { order }), ...(group && { group }) };
  }
  return undefined;
}
