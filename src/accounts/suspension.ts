import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { suspendedAccounts } from "./accounts.repo.ts";

const REMEMBERED_MS = 4_000;
const ACCOUNTS_MAX = 10_000;

/** Answers from memory for a few seconds: an order's dispatch must not cost a query. */
export type IsSuspended = (accountId: Uuid) => Promise<boolean>;

export function makeSuspension({ db, clock }: { readonly db: Db; readonly clock: Clock }): IsSuspended {
  const remembered = new Map<Uuid, { readonly suspended: boolean; readonly readAtMs: number }>();
  let asking: { readonly ids: Set<Uuid>; readonly answer: Promise<ReadonlySet<Uuid>> } | undefined;

  /** Questions that come up together are asked together. */
  const ask = (accountId: Uuid): Promise<ReadonlySet<Uuid>> => {
    if (!asking) {
      const ids = new Set<Uuid>();
      const answer = Promise.resolve().then(() => {
        asking = undefined;
        return suspendedAccounts(db, [...ids]);
      });
      asking = { ids, answer };
    }
    asking.ids.add(accountId);
    return asking.answer;
  };

  return async (accountId) => {
    const nowMs = clock.monotonicMs();
    const known = remembered.get(accountId);
    if (known && nowMs - known.readAtMs < REMEMBERED_MS) return known.suspended;
    const suspended = (await ask(accountId)).has(accountId);
    if (remembered.size >= ACCOUNTS_MAX) remembered.clear();
    remembered.set(accountId, { suspended, readAtMs: nowMs });
    return suspended;
  };
}
