import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";

export interface NamedTransfer {
  readonly id: Uuid;
  readonly kind: string;
  readonly amountKobo: Kobo;
}

/**
 * Gives the operator's name to a transfer that is about to be posted in the same transaction. When the name is taken, waits
 * for whoever took it and returns their transfer.
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
  const { rows } = await db.query<{ id: Uuid; kind: string; amount_kobo: bigint }>(
    `select t.id, t.kind, t.amount_kobo from manual_transfers m
       join transfers t on t.account_id = m.account_id and t.id = m.transfer_id
      where m.account_id = $1 and m.mode = $2 and m.name = $3`,
    [accountId, mode, name],
  );
  const { id: earlier, kind, amount_kobo: amount } = rows[0]!;
  return { id: earlier, kind, amountKobo: kobo(amount) };
}
