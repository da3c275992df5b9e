import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS, HOUR_MS } from "../kernel/duration.ts";
import type { Uuid } from "../kernel/ids.ts";
import { PERSONAL_KINDS, type PersonalKind } from "../kernel/purged.ts";
import { accountsToPurge, dueAgain, nextOrders, noteProgress, putOff, putOffNoMore, takeTurn } from "./orders.repo.ts";
import { purgeOrders, type Services } from "./purge-orders.ts";
import { forgetFindings, forgetPeople, forgetReceived } from "./received.repo.ts";
import type { Retention } from "./retention.settings.ts";

export interface PurgeOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly services: Services;
  readonly retention: Retention;
  /** While the clock is wrong, nothing is purged. */
  readonly isClockRight: () => boolean;
  /** Transactions of one run at most; default 200. */
  readonly slicesMax?: number;
  /** Rows of one transaction at most; default 200, which take some tens of milliseconds. */
  readonly sliceRows?: number;
}

const SLICE_ROWS = 200;
const SLICES_MAX = 200;
/** Of an erasure: orders that were open when it was asked for. */
export const ERASURE = "erasure";
const WAIT_MS: Readonly<Record<string, number>> = { [ERASURE]: HOUR_MS };

/**
 * A job of every node, one at a time: removes personal data that was kept for its days, in slices. Each slice is one transaction
 * with its progress, so that a run that is ended anywhere goes on from there.
 */
export function makePurge(options: PurgeOptions): () => Promise<void> {
  const { db, clock, services, retention, isClockRight } = options;
  const { slicesMax = SLICES_MAX, sliceRows = SLICE_ROWS } = options;
  const ago = (days: number) => new Date(clock.now().getTime() - days * DAY_MS);
  /** Orders are walked once a day, by whole days. */
  const dayOf = (at: Date) => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);

  /** Where the account's next slice begins; undefined when there is none, or another node has its turn. */
  const walkSlice = (kind: PersonalKind, accountId: Uuid, upTo: Uuid): Promise<Uuid | undefined> =>
    db.transaction(async (tx) => {
      if (!(await takeTurn(tx))) return undefined;
      const [endedBy, before] = [ago(retention[kind]), dayOf(ago(retention[kind]))];
      const ids = await nextOrders(tx, accountId, upTo, before, sliceRows);
      const waiting = await purgeOrders(tx, services, { accountId, ids, kind, endedBy, now: clock.now() });
      if (waiting.length > 0) await putOff(tx, kind, accountId, waiting, new Date(clock.now().getTime() + DAY_MS));
      const last = ids.length === sliceRows ? ids.at(-1)! : null;
      await noteProgress(tx, accountId, kind, last, before);
      return last ?? undefined;
    });

  const putOffSlice = (kind: PersonalKind | typeof ERASURE): Promise<boolean> =>
    db.transaction(async (tx) => {
      if (!(await takeTurn(tx))) return false;
      const now = clock.now();
      const due = await dueAgain(tx, kind, now, sliceRows);
      const [what, endedBy] = kind === ERASURE ? (["numbers", now] as const) : ([kind, ago(retention[kind])] as const);
      for (const [accountId, ids] of due) {
        const waiting = await purgeOrders(tx, services, { accountId, ids, kind: what, endedBy, now });
        await putOffNoMore(tx, kind, accountId, ids);
        if (waiting.length > 0)
          await putOff(tx, kind, accountId, waiting, new Date(now.getTime() + (WAIT_MS[kind] ?? DAY_MS)));
      }
      return due.size > 0;
    });

  return async (): Promise<void> => {
    if (!isClockRight()) return;
    let left = slicesMax;
    for (const kind of [...PERSONAL_KINDS, ERASURE] as const) while (left > 0 && (await putOffSlice(kind))) left -= 1;
    for (const kind of PERSONAL_KINDS)
      for (const { accountId, upTo } of await accountsToPurge(db, kind, dayOf(ago(retention[kind]))))
        for (let at: Uuid | undefined = upTo; at !== undefined && left > 0; left -= 1)
          at = await walkSlice(kind, accountId, at);
    const byAge = [
      () => forgetReceived(db, ago(retention.received), sliceRows),
      () => forgetPeople(db, ago(retention.numbers), clock.now(), sliceRows),
      () => forgetFindings(db, ago(retention.texts), sliceRows),
    ];
    for (const forget of byAge) while (left > 0 && (await forget()) === sliceRows) left -= 1;
  };
}
