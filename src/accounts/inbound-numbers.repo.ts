import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";

/** Handsets that write to this number write to the account. The first account to have it keeps it. */
export async function assignInboundNumber(db: Db, accountId: Uuid, number: string, mode: Mode): Promise<void> {
  await db.query("insert into inbound_numbers (number, mode, account_id) values ($1, $2, $3) on conflict do nothing", [
    number,
    mode,
    accountId,
  ]);
}

export async function inboundNumberOf(db: Db, accountId: Uuid, mode: Mode): Promise<string | undefined> {
  const { rows } = await db.query<{ number: string }>(
    "select number from inbound_numbers where account_id = $1 and mode = $2 order by number limit 1",
    [accountId, mode],
  );
  return rows[0]?.number;
}
