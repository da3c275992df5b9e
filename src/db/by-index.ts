import type { Database, Db } from "./database.ts";

/**
 * Reads few rows of a large table, which a partial index has. PostgreSQL would pass that index by and read the whole table while its
 * statistics are missing or old, as those of a new month are. No bitmap: that goes through the index's dead entries each time, and a
 * plain scan only once.
 */
export const byIndex = <T>(db: Database, read: (db: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (one) => {
    await one.query("select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)");
    return read(one);
  });
