import type { Db } from "../db/database.ts";

/** What is deleted by its age. Each returns how many rows it deleted, `limit` at most. */

export async function forgetReceived(db: Db, before: Date, limit: number): Promise<number> {
  const sms = await db.query(
    `delete from inbound_messages where ctid in (
       select ctid from inbound_messages where received_at < $1 limit $2 for update skip locked)`,
    [before, limit],
  );
  const chat = await db.query(
    "delete from chat_inbound where ctid in (select ctid from chat_inbound where received_at < $1 limit $2 for update skip locked)",
    [before, limit],
  );
  const windows = await db.query(
    "delete from chat_windows where ctid in (select ctid from chat_windows where last_inbound_at < $1 limit $2 for update skip locked)",
    [before, limit],
  );
  return Math.max(sms.rowCount ?? 0, chat.rowCount ?? 0, windows.rowCount ?? 0);
}

/** Suppressions that ran out, opt-ins, and whose addresses belong together, as far as no opt-out depends on it. */
export async function forgetPeople(db: Db, before: Date, now: Date, limit: number): Promise<number> {
  const over = await db.query(
    "delete from suppressions where ctid in (select ctid from suppressions where expires_at < $1 limit $2 for update skip locked)",
    [now, limit],
  );
  const optIns = await db.query(
    "delete from opt_ins where ctid in (select ctid from opt_ins where at < $1 limit $2 for update skip locked)",
    [before, limit],
  );
  const people = await db.query(
    `delete from people where ctid in (
       select p.ctid from people p
        where p.told_at < $1
          and not exists (select from suppressions s where s.account_id = p.account_id and s.mode = p.mode and s.person = p.person)
          and not exists (select from opt_ins o where o.account_id = p.account_id and o.mode = p.mode and o.person = p.person)
        limit $2 for update skip locked)`,
    [before, limit],
  );
  return Math.max(over.rowCount ?? 0, optIns.rowCount ?? 0, people.rowCount ?? 0);
}

/** Evidence of closed cases that are about no order, and what the operator wrote on closing them. */
export async function forgetFindings(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `update cases set evidence = '{}', resolution = null where ctid in (
       select ctid from cases where closed_at < $1 and order_id is null and (evidence <> '{}' or resolution is not null)
        limit $2 for update skip locked)`,
    [before, limit],
  );
  return rowCount ?? 0;
}
