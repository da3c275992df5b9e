import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";

export interface Wallet {
  readonly accountId: Uuid;
  readonly mode: Mode;
}

/** A transaction that moved a wallet's money (migration 0009). A larger `position` was committed later. */
export interface WalletCommit {
  readonly position: bigint;
  /** What it left. */
  readonly balanceKobo: Kobo;
  readonly heldKobo: Kobo;
  /** Transfers whose hold it decided, then those that it made: its lines, oldest first. */
  readonly decided: readonly Uuid[];
  readonly opened: readonly Uuid[];
  readonly at: Date;
}

export interface CommitsWanted {
  /** This one and those before it. */
  readonly from?: bigint;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly orderId?: Uuid;
  /** Commits that can have a line of this kind of transfer; `decided` for holds that were decided. */
  readonly having?: "hold" | "decided" | "credit" | "debit" | "fee" | "refund";
  /** No further commit once those before have as many lines: at least one is read, however many it has. */
  readonly linesMax: number;
}

/** Newest first. Empty only when there are no more. */
export async function readCommits(db: Db, wallet: Wallet, wanted: CommitsWanted): Promise<readonly WalletCommit[]> {
  const values: unknown[] = [wallet.accountId, wallet.mode];
  const conditions = ["account_id = $1", "mode = $2"];
  const where = (condition: (place: string) => string, value: unknown) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (wanted.from !== undefined) where((place) => `position <= ${place}`, wanted.from);
  if (wanted.createdAfter) where((place) => `at >= ${place}`, wanted.createdAfter);
  if (wanted.createdBefore) where((place) => `at < ${place}`, wanted.createdBefore);
  if (wanted.orderId)
    where(
      (place) => `batch in (select unnest(array[opened_in, decided_in]) from transfers
                             where account_id = $1 and (id = ${place} or (order_id = ${place} and kind <> 'hold')))`,
      wanted.orderId,
    );
  if (wanted.having === "decided") conditions.push("cardinality(decided) > 0");
  else if (wanted.having === "hold") conditions.push("cardinality(opened) > 0");
  else if (wanted.having)
    where(
      (place) => `batch in (select opened_in from transfers
                             where account_id = $1 and mode = $2 and kind <> 'hold' and kind = ${place})`,
      wanted.having,
    );
  values.push(wanted.linesMax);
  const { rows } = await db.query<{
    position: bigint;
    balance_kobo: bigint;
    held_kobo: bigint;
    decided: Uuid[];
    opened: Uuid[];
    at: Date;
  }>(
    `select position, balance_kobo, held_kobo, decided, opened, at from (
       select c.*, sum(cardinality(decided) + cardinality(opened)) over (
                     order by position desc rows between unbounded preceding and 1 preceding) as lines_before
         from (select * from wallet_commits where ${conditions.join(" and ")}
                order by position desc limit $${values.length}) c) counted
      where coalesce(lines_before, 0) < $${values.length} order by position desc`,
    values,
  );
  return rows.map((row) => ({
    position: row.position,
    balanceKobo: kobo(row.balance_kobo),
    heldKobo: kobo(row.held_kobo),
    decided: row.decided,
    opened: row.opened,
    at: row.at,
  }));
}

/** A transfer with the order that it is about. */
export interface Movement {
  readonly id: Uuid;
  readonly kind: "hold" | "credit" | "debit" | "fee" | "refund";
  /** Whether it takes from the wallet. */
  readonly takes: boolean;
  readonly amountKobo: Kobo;
  /** Of a hold: what was taken of it; null while it is undecided, and when all of it went back. */
  readonly postedKobo: Kobo | null;
  readonly reason: string | null;
  readonly order: { readonly id: Uuid; readonly service: string; readonly groupId: Uuid | null } | null;
}

export async function readMovements(
  db: Db,
  accountId: Uuid,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, Movement>> {
  const { rows } = await db.query<{
    id: Uuid;
    kind: Movement["kind"];
    takes: boolean;
    amount_kobo: bigint;
    posted_kobo: bigint | null;
    reason: string | null;
    order_id: Uuid | null;
    service: string | null;
    group_id: Uuid | null;
  }>(
    {
      name: "read_movements",
      text: `select t.id, t.kind, t.debit_kind = 'wallet' as takes, t.amount_kobo, t.posted_kobo, t.reason,
                    o.id as order_id, o.service, o.group_id
               from unnest($2::uuid[]) i(id)
              -- A look-up for each: joined, all orders may be read for a page of them.
              cross join lateral (select t.* from transfers t where t.account_id = $1 and t.id = i.id offset 0) t
               left join lateral (
                 select o.id, o.service, o.group_id from orders o
                  where o.account_id = $1 and o.id = t.order_id offset 0) o on true`,
    },
    [accountId, ids],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        kind: row.kind,
        takes: row.takes,
        amountKobo: kobo(row.amount_kobo),
        postedKobo: row.posted_kobo === null ? null : kobo(row.posted_kobo),
        reason: row.reason,
        order:
          row.order_id === null || row.service === null
            ? null
            : { id: row.order_id, service: row.service, groupId: row.group_id },
      },
    ]),
  );
}
