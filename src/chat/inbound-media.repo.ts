import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { InboundKey } from "./inbound.repo.ts";

/** Files that people sent: fetched from the vendor, kept for a while. */

export interface DueFile {
  readonly messageId: Uuid;
  readonly provider: string;
  readonly vendorId: string;
  readonly tries: number;
}

/** Takes files that are due, so that no other node fetches them for a while; one that is not told of again comes back. */
export async function claimFiles(db: Db, now: Date, againAt: Date, limit: number): Promise<readonly DueFile[]> {
  const { rows } = await db.query<{ message_id: Uuid; provider: string; vendor_id: string; tries: number }>(
    `update chat_inbound_media m set tries = m.tries + 1, due_at = $2
       from (select message_id from chat_inbound_media where due_at <= $1 and state = 'pending'
              order by due_at limit $3 for update skip locked) due
      where m.message_id = due.message_id
      returning m.message_id, m.provider, m.vendor_id, m.tries`,
    [now, againAt, limit],
  );
  return rows.map((row) => ({
    messageId: row.message_id,
    provider: row.provider,
    vendorId: row.vendor_id,
    tries: row.tries,
  }));
}

/** How much of what people sent to the file's account is kept at present. */
export async function keptBytes(db: Db, messageId: Uuid): Promise<bigint> {
  const { rows } = await db.query<{ bytes: bigint }>(
    `select coalesce(sum(m.size), 0)::bigint as bytes
       from chat_inbound own
       join chat_inbound i on i.account_id = own.account_id and i.mode = own.mode
       join chat_inbound_media m on m.message_id = i.id and m.state = 'kept'
      where own.id = $1`,
    [messageId],
  );
  return rows[0]?.bytes ?? 0n;
}

export async function keepFile(
  db: Db,
  messageId: Uuid,
  file: { readonly bytes: Buffer; readonly mimeType: string; readonly sha256: Buffer },
  forgetAt: Date,
): Promise<void> {
  await db.query(
    `update chat_inbound_media set state = 'kept', due_at = $2, mime_type = $3, size = $4, sha256 = $5, bytes = $6
      where message_id = $1 and state = 'pending'`,
    [messageId, forgetAt, file.mimeType, file.bytes.length, file.sha256, file.bytes],
  );
}

/** Tried at `dueAt` again, or given up. */
export async function postponeFile(db: Db, messageId: Uuid, dueAt: Date | null): Promise<void> {
  await db.query(
    `update chat_inbound_media set due_at = $2, state = case when $2::timestamptz is null then 'unavailable' else state end
      where message_id = $1 and state = 'pending'`,
    [messageId, dueAt],
  );
}

/** What has been kept long enough. That there was a file stays known. */
export async function forgetFiles(db: Db, now: Date): Promise<void> {
  await db.query(
    "update chat_inbound_media set state = 'forgotten', due_at = null, bytes = null where due_at <= $1 and state = 'kept'",
    [now],
  );
}

/** The file that came with the account's message, while it is kept. */
export async function readFile(
  db: Db,
  { accountId, mode, id }: InboundKey,
): Promise<{ readonly bytes: Buffer; readonly mimeType: string } | undefined> {
  const { rows } = await db.query<{ bytes: Buffer; mime_type: string }>(
    `select m.bytes, m.mime_type from chat_inbound_media m join chat_inbound i on i.id = m.message_id
      where m.message_id = $1 and i.account_id = $2 and i.mode = $3 and m.state = 'kept'`,
    [id, accountId, mode],
  );
  const row = rows[0];
  return row && { bytes: row.bytes, mimeType: row.mime_type };
}
