import type { Db } from "../db/database.ts";

/** Where nodes hear that something they remember was changed: accounts, keys, subscriptions, senders. */
export const CHANGES_CHANNEL = "afara_changes";

/**
 * Tells every node, when the transaction commits, to forget what it remembers of accounts, keys, subscriptions and senders. It
 * says no more than that: such changes are rare, and reading anew is cheap. A node that does not hear it finds out when its
 * memory runs out, after 4 s.
 */
export async function announceChange(db: Db): Promise<void> {
  await db.query("select pg_notify($1, '')", [CHANGES_CHANNEL]);
}
