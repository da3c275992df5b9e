import type { Db } from "../db/database.ts";

/**
 * Publishes `wallet.low` for wallets below their account's threshold: once until the balance recovers. Any number of nodes may call
 * it at once. Returns the number of events.
 */
export async function tellLowWallets(db: Db, at: Date): Promise<number> {
  const { rows } = await db.query<{ told: number }>(
    { name: "tell_low_wallets", text: "select tell_low_wallets($1) as told" },
    [at],
  );
  return rows[0]?.told ?? 0;
}
