import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";

export interface NamedTransfer {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly kind: string;
  readonly amountKobo: Kobo;
}

/**
 * Claims the operator's ID for a transfer to be posted in the same transaction. If the ID is taken, waits for its transaction and
 * returns that transfer.
 */
export async function nameTransfer(
  db: Db,
  { accountId, mode, name, id }: { accountId: Uuid; mode: Mode; name: string; id: Uuid },
): Promise<NamedTransfer | undefined> {
  const { rowCount } = await db.query(
    "insert into manual_transfers (account_id, mode, name, transfer_id) values ($1, $2, $3, $4) on conflict do nothing",
    [accountId, mode, name, id],
  );
  if ((rowCount ?? 0) > 0) return undefined;
  const { rows } = await db.query<{ id: Uuid; account_id: Uuid; mode: Mode; kind: string; amount_kobo: bigint }>(
    `select t.id, t.account_id, t.mode, t.kind, t.amount_kobo from manual_transfers m
       join transfers t on t.account_id = m.account_id and t.id = m.transfer_id where m.name = $1`,
    [name],
  );
  const earlier = rows[0]!;
  return {
    id: earlier.id,
    accountId: earlier.account_id,
    mode: earlier.mode,
    kind: earlier.kind,
    amountKobo: kobo(earlier.amount_kobo),
  };
}
