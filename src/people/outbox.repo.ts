import type { Db } from "../db/database.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import type { Mail } from "./mails.ts";

const KEPT = 50;

export interface StoredMail extends Mail {
  readonly id: Uuid;
  readonly at: Date;
}

/** Keeps a mail, and the last ones before it. */
export async function keepMail(db: Db, { to, subject, text }: Mail, at: Date): Promise<void> {
  await db.query("insert into auth_outbox (id, recipient, subject, text, at) values ($1, $2, $3, $4, $5)", [
    newUuid(),
    to,
    subject,
    text,
    at,
  ]);
  await db.query(
    "delete from auth_outbox where id <= (select id from auth_outbox order by id desc offset $1 limit 1)",
    [KEPT],
  );
}

/** Newest first. */
export async function listMails(db: Db): Promise<readonly StoredMail[]> {
  const { rows } = await db.query<{ id: Uuid; recipient: string; subject: string; text: string; at: Date }>(
    "select id, recipient, subject, text, at from auth_outbox order by id desc limit $1",
    [KEPT],
  );
  return rows.map(({ recipient, ...mail }) => ({ ...mail, to: recipient }));
}
