import type { Db } from "../db/database.ts";

/** The channel for invalidating caches of accounts, keys, subscriptions and senders. */
export const CHANGES_CHANNEL = "afara_changes";

/**
 * On commit, tells every node to clear its caches of accounts, keys, subscriptions and senders. The notice has no details, as such
 * changes are rare and reloading is cheap. A node that misses it reloads when its cache expires, after 4 s.
 */
export async function announceChange(db: Db): Promise<void> {
  await db.query("select pg_notify($1, '')", [CHANGES_CHANNEL]);
}
