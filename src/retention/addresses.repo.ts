import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";

/** Whose data is meant: a number, everywhere or in one account or mode. */
export interface Sought {
  /** Without `+`. */
  readonly phone: string;
  readonly accountId: Uuid | undefined;
  readonly mode: Mode | undefined;
}

/** The number with the ids of chat users that a vendor has told to be its owner's, as text arrays of one length. */
export interface Addresses {
  readonly accounts: readonly (Uuid | null)[];
  readonly modes: readonly (Mode | null)[];
  readonly addresses: readonly string[];
}

/** Ids that belong to the number now; a number that its owner gave up leads to nobody. Null: in whichever account or mode. */
export async function addressesOf(db: Db, { phone, accountId, mode }: Sought): Promise<Addresses> {
  const { rows } = await db.query<{ account_id: Uuid; mode: Mode; address: string }>(
    `select o.account_id, o.mode, o.address
       from people p join people o on o.account_id = p.account_id and o.mode = p.mode and o.person = p.person
      where p.address = $1 and not p.former and o.address !~ '^[0-9]+$'
        and ($2::uuid is null or p.account_id = $2) and ($3::text is null or p.mode = $3)`,
    [phone, accountId ?? null, mode ?? null],
  );
  return {
    accounts: [accountId ?? null, ...rows.map((row) => row.account_id)],
    modes: [mode ?? null, ...rows.map((row) => row.mode)],
    addresses: [phone, ...rows.map((row) => row.address)],
  };
}
