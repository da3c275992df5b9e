import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { TvProvider } from "../ports/cable-payload.ts";
import type { Verification } from "./cable.ts";

interface VerificationRow {
  account_id: Uuid;
  id: Uuid;
  mode: Mode;
  tv_provider: TvProvider;
  smartcard_number: string;
  customer_name: string;
  current_plan: string | null;
  renewal_kobo: bigint | null;
  due_date: string | null;
  provider: string;
  verified_at: Date;
}

const verificationOf = (row: VerificationRow): Verification => ({
  id: row.id,
  accountId: row.account_id,
  mode: row.mode,
  tvProvider: row.tv_provider,
  smartcardNumber: row.smartcard_number,
  customerName: row.customer_name,
  currentPlan: row.current_plan,
  renewalKobo: row.renewal_kobo === null ? null : kobo(row.renewal_kobo),
  dueDate: row.due_date,
  provider: row.provider,
  verifiedAt: row.verified_at,
});

export async function insertVerification(db: Db, card: Verification): Promise<void> {
  await db.query(
    {
      name: "insert_smartcard_verification",
      text: `insert into smartcard_verifications (account_id, id, mode, tv_provider, smartcard_number, customer_name, current_plan,
               renewal_kobo, due_date, provider, verified_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    },
    [
      card.accountId,
      card.id,
      card.mode,
      card.tvProvider,
      card.smartcardNumber,
      card.customerName,
      card.currentPlan,
      card.renewalKobo,
      card.dueDate,
      card.provider,
      card.verifiedAt,
    ],
  );
}

/** Of the account and mode alone, however old as long as it is kept. */
export async function findVerification(
  db: Db,
  accountId: Uuid,
  mode: Mode,
  id: Uuid,
): Promise<Verification | undefined> {
  const { rows } = await db.query<VerificationRow>(
    {
      name: "find_smartcard_verification",
      text: "select * from smartcard_verifications where account_id = $1 and id = $2 and mode = $3",
    },
    [accountId, id, mode],
  );
  return rows[0] && verificationOf(rows[0]);
}

/** Names are kept for a day. */
export async function forgetVerifications(db: Db, now: Date): Promise<void> {
  await db.query("delete from smartcard_verifications where verified_at < $1::timestamptz - interval '1 day'", [now]);
}
