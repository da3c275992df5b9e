import { type Actor, audit } from "../accounts/audit.repo.ts";
import type { Database, Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";

/** Numbers that accounts write from: each belongs to one account, with what is written to it and the windows that opens. */
export interface ChatNumber {
  /** E.164 without `+`. */
  readonly number: string;
  readonly provider: string;
}

export interface OwnedChatNumber extends ChatNumber {
  readonly mode: Mode;
  readonly accountId: Uuid;
}

/** The account's own, the one that it has had longest first. */
export async function numbersOf(db: Db, accountId: Uuid, mode: Mode): Promise<readonly ChatNumber[]> {
  const { rows } = await db.query<ChatNumber>(
    {
      name: "chat_numbers_of",
      text: "select number, provider from chat_numbers where account_id = $1 and mode = $2 order by assigned_at, number",
    },
    [accountId, mode],
  );
  return rows;
}

/** Gives the account the first of these that nobody has, unless it has one. Returns what it has then; none when all are taken. */
export function takeFreeNumber(
  db: Database,
  { accountId, mode, at }: { readonly accountId: Uuid; readonly mode: Mode; readonly at: Date },
  candidates: readonly ChatNumber[],
): Promise<readonly ChatNumber[]> {
  return db.transaction(async (tx) => {
    // One after the other: two accounts, or two requests of one, must not reach for the same.
    await tx.query("select pg_advisory_xact_lock(hashtext('afara.chat_numbers'))");
    const own = await numbersOf(tx, accountId, mode);
    if (own.length > 0) return own;
    const { rows } = await tx.query<ChatNumber>(
      `insert into chat_numbers (number, mode, provider, account_id, assigned_at)
       select c.number, $2, c.provider, $1, $3 from unnest($4::text[], $5::text[]) with ordinality c(number, provider, n)
        where not exists (select from chat_numbers o where o.number = c.number and o.mode = $2)
        order by c.n limit 1
       returning number, provider`,
      [accountId, mode, at, candidates.map(({ number }) => number), candidates.map(({ provider }) => provider)],
    );
    return rows;
  });
}

/**
 * The operator's word. Returns whose the number is now: another account's when that one had it before. Undefined when there is no
 * such account.
 */
export function giveChatNumber(
  db: Database,
  { number, mode, provider, accountId }: OwnedChatNumber,
  at: Date,
  actor: Actor,
): Promise<Uuid | undefined> {
  return db.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `insert into chat_numbers (number, mode, provider, account_id, assigned_at) select $1, $2, $3, id, $5 from accounts where id = $4
       on conflict do nothing`,
      [number, mode, provider, accountId, at],
    );
    if (rowCount === 0) {
      const { rows } = await tx.query<{ account_id: Uuid }>(
        "select account_id from chat_numbers where number = $1 and mode = $2",
        [number, mode],
      );
      return rows[0]?.account_id;
    }
    const details = { number, mode, provider };
    await audit(tx, { actor, action: "chat_number.assign", subject: encodeId("acc", accountId), details });
    return accountId;
  });
}

/** Whose it was; undefined when nobody had it. The windows that people opened with it are theirs alone, so they go with it. */
export function releaseChatNumber(db: Database, number: string, mode: Mode, actor: Actor): Promise<Uuid | undefined> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ account_id: Uuid }>(
      "delete from chat_numbers where number = $1 and mode = $2 returning account_id",
      [number, mode],
    );
    const accountId = rows[0]?.account_id;
    if (accountId === undefined) return undefined;
    await tx.query("delete from chat_windows where number = $1 and mode = $2", [number, mode]);
    await audit(tx, {
      actor,
      action: "chat_number.release",
      subject: encodeId("acc", accountId),
      details: { number, mode },
    });
    return accountId;
  });
}

/** Of one account, or of all. */
export async function listChatNumbers(db: Db, accountId: Uuid | undefined): Promise<readonly OwnedChatNumber[]> {
  const { rows } = await db.query<{ number: string; provider: string; mode: Mode; account_id: Uuid }>(
    `select number, provider, mode, account_id from chat_numbers where $1::uuid is null or account_id = $1
      order by mode, number`,
    [accountId ?? null],
  );
  return rows.map(({ number, provider, mode, account_id }) => ({ number, provider, mode, accountId: account_id }));
}
