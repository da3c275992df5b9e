import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { MediaKind } from "../ports/chat-payload.ts";

/** A file that an account stored with a vendor, to send it by id. */
export interface StoredMedia {
  readonly id: Uuid;
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly provider: string;
  /** The vendor's id of it. */
  readonly vendorId: string;
  readonly kind: MediaKind;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertMedia(db: Db, media: StoredMedia): Promise<void> {
  await db.query(
    `insert into chat_media (id, account_id, mode, provider, vendor_id, kind, mime_type, size, sha256, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      media.id,
      media.accountId,
      media.mode,
      media.provider,
      media.vendorId,
      media.kind,
      media.mimeType,
      media.size,
      media.sha256,
      media.createdAt,
      media.expiresAt,
    ],
  );
}

/** This account's, as long as the vendor has it. */
export async function findMedia(
  db: Db,
  {
    accountId,
    mode,
    id,
    now,
  }: { readonly accountId: Uuid; readonly mode: Mode; readonly id: Uuid; readonly now: Date },
): Promise<Pick<StoredMedia, "provider" | "vendorId" | "kind"> | undefined> {
  const { rows } = await db.query<{ provider: string; vendor_id: string; kind: MediaKind }>(
    "select provider, vendor_id, kind from chat_media where id = $1 and account_id = $2 and mode = $3 and expires_at > $4",
    [id, accountId, mode, now],
  );
  const row = rows[0];
  return row && { provider: row.provider, vendorId: row.vendor_id, kind: row.kind };
}

/** A linked file that the vendor has already, by its content. */
export interface FetchedMediaKey {
  readonly provider: string;
  readonly sha256: Buffer;
  readonly kind: MediaKind;
}

export async function findFetched(
  db: Db,
  { provider, sha256, kind }: FetchedMediaKey,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await db.query<{ vendor_id: string }>(
    "select vendor_id from chat_fetched_media where provider = $1 and sha256 = $2 and kind = $3 and expires_at > $4",
    [provider, sha256, kind, now],
  );
  return rows[0]?.vendor_id;
}

export async function keepFetched(
  db: Db,
  { provider, sha256, kind }: FetchedMediaKey,
  vendorId: string,
  expiresAt: Date,
): Promise<void> {
  await db.query(
    `insert into chat_fetched_media (provider, sha256, kind, vendor_id, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (provider, sha256, kind) do update set vendor_id = excluded.vendor_id, expires_at = excluded.expires_at`,
    [provider, sha256, kind, vendorId, expiresAt],
  );
}

/** What vendors have thrown away by now. */
export async function forgetExpiredMedia(db: Db, now: Date): Promise<void> {
  await db.query("delete from chat_media where expires_at <= $1", [now]);
  await db.query("delete from chat_fetched_media where expires_at <= $1", [now]);
}
