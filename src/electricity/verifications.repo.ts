import type { Db } from "../db/database.ts";
import type { Disco } from "../kernel/discos.ts";
import type { Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { MeterType, Verification } from "./electricity.ts";

interface VerificationRow {
  account_id: Uuid;
  id: Uuid;
  mode: Mode;
  disco: Disco;
  meter_number: string;
  meter_type: MeterType;
  customer_name: string;
  customer_address: string | null;
  tariff: string | null;
  arrears_kobo: bigint | null;
  minimum_kobo: bigint;
  maximum_kobo: bigint;
  provider: string;
  verified_at: Date;
}

const verificationOf = (row: VerificationRow): Verification => ({
  id: row.id,
  accountId: row.account_id,
  mode: row.mode,
  disco: row.disco,
  meterNumber: row.meter_number,
  meterType: row.meter_type,
  customer: { name: row.customer_name, address: row.customer_address },
  tariff: row.tariff,
  arrearsKobo: row.arrears_kobo === null ? null : kobo(row.arrears_kobo),
  minimumKobo: kobo(row.minimum_kobo),
  maximumKobo: kobo(row.maximum_kobo),
  provider: row.provider,
  verifiedAt: row.verified_at,
});

export async function insertVerification(db: Db, meter: Verification): Promise<void> {
  await db.query(
    {
      name: "insert_verification",
      text: `insert into meter_verifications (account_id, id, mode, disco, meter_number, meter_type, customer_name, customer_address,
               tariff, arrears_kobo, minimum_kobo, maximum_kobo, provider, verified_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    },
    [
      meter.accountId,
      meter.id,
      meter.mode,
      meter.disco,
      meter.meterNumber,
      meter.meterType,
      meter.customer.name,
      meter.customer.address,
      meter.tariff,
      meter.arrearsKobo,
      meter.minimumKobo,
      meter.maximumKobo,
      meter.provider,
      meter.verifiedAt,
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
      name: "find_verification",
      text: "select * from meter_verifications where account_id = $1 and id = $2 and mode = $3",
    },
    [accountId, id, mode],
  );
  return rows[0] && verificationOf(rows[0]);
}

/** Names and addresses are kept for a day. */
export async function forgetVerifications(db: Db, now: Date): Promise<void> {
  await db.query("delete from meter_verifications where verified_at < $1::timestamptz - interval '1 day'", [now]);
}
