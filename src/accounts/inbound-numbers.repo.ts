import type { Database, Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { type Actor, audit } from "./audit.repo.ts";

/** Numbers and short codes that handsets write to: each belongs to one account in each mode. */

export interface InboundNumber {
  /** Digits only. */
  readonly number: string;
  readonly mode: Mode;
  readonly accountId: Uuid;
}

/** The first account to get a number keeps it. */
export async function assignInboundNumber(db: Db, accountId: Uuid, number: string, mode: Mode): Promise<void> {
  await db.query("insert into inbound_numbers (number, mode, account_id) values ($1, $2, $3) on conflict do nothing", [
    number,
    mode,
    accountId,
  ]);
}

/**
 * The operator's assignment. Returns the number's account: another one if it already had the number. Undefined if the account
 * does not exist.
 */
export async function giveInboundNumber(db: Database, wanted: InboundNumber, actor: Actor): Promise<Uuid | undefined> {
  const { number, mode, accountId } = wanted;
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `insert into inbound_numbers (number, mode, account_id) select $1, $2, id from accounts where id = $3
       on conflict do nothing`,
      [number, mode, accountId],
    );
    if (rowCount === 0) {
      const { rows } = await tx.query<{ account_id: Uuid }>(
        "select account_id from inbound_numbers where number = $1 and mode = $2",
        [number, mode],
      );
      return rows[0]?.account_id;
    }
    await audit(tx, { actor, action: "number.assign", subject: encodeId("acc", accountId), details: { number, mode } });
    return accountId;
  });
}

/** Returns the account that had it; undefined if none did. */
export async function releaseInboundNumber(
  db: Database,
  number: string,
  mode: Mode,
  actor: Actor,
): Promise<Uuid | undefined> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ account_id: Uuid }>(
      "delete from inbound_numbers where number = $1 and mode = $2 returning account_id",
      [number, mode],
    );
    const accountId = rows[0]?.account_id;
    if (accountId === undefined) return undefined;
    await audit(tx, {
      actor,
      action: "number.release",
      subject: encodeId("acc", accountId),
      details: { number, mode },
    });
    return accountId;
  });
}

/** For one account or all. */
export async function listInboundNumbers(db: Db, accountId: Uuid | undefined): Promise<readonly InboundNumber[]> {
  const { rows } = await db.query<{ number: string; mode: Mode; account_id: Uuid }>(
    "select number, mode, account_id from inbound_numbers where $1::uuid is null or account_id = $1 order by mode, number",
    [accountId ?? null],
  );
  return rows.map(({ number, mode, account_id }) => ({ number, mode, accountId: account_id }));
}

export async function inboundNumberOf(db: Db, accountId: Uuid, mode: Mode): Promise<string | undefined> {
  const { rows } = await db.query<{ number: string }>(
    "select number from inbound_numbers where account_id = $1 and mode = $2 order by number limit 1",
    [accountId, mode],
  );
  return rows[0]?.number;
}
