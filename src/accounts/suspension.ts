import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { suspendedAccounts } from "./accounts.repo.ts";

const REMEMBERED_MS = 4_000;
const ACCOUNTS_MAX = 10_000;

export interface Suspension {
  /** Cached for a few seconds: an order's dispatch must not cost a query. */
  isSuspended(accountId: Uuid): Promise<boolean>;
  /** Clears the cache, e.g. after an account was suspended. */
  forget(): void;
}

export function makeSuspension({ db, clock }: { readonly db: Db; readonly clock: Clock }): Suspension {
  let remembered = new Map<Uuid, { readonly suspended: boolean; readonly readAtMs: number }>();
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

  return {
    async isSuspended(accountId) {
      const nowMs = clock.monotonicMs();
      // An answer that was asked for before all were forgotten goes into the map that nobody reads any more.
      const memory = remembered;
      const known = memory.get(accountId);
      if (known && nowMs - known.readAtMs < REMEMBERED_MS) return known.suspended;
      const suspended = (await ask(accountId)).has(accountId);
      if (memory.size >= ACCOUNTS_MAX) memory.clear();
      memory.set(accountId, { suspended, readAtMs: nowMs });
      return suspended;
    },

    forget() {
      remembered = new Map();
    },
  };
}
