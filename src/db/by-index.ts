import type { Database, Db } from "./database.ts";

/** Few rows take milliseconds. With many, as when a vendor is away, one page after the other is better than one a row. */
const FEW_ROWS_MS = 500;

/**
 * Reads few rows of a large table, which a partial index has. PostgreSQL would pass that index by and read the whole table while its
 * statistics are missing or old, as those of a new month are. No bitmap: that goes through the index's dead entries each time, and a
 * plain scan only once. What is not read so in a moment is read as PostgreSQL would.
 */
export async function byIndex<T>(db: Database, read: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(async (one) => {
      await one.query(
        `select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
                set_config('statement_timeout', '${FEW_ROWS_MS}', true)`,
      );
      return read({ query: (statement, values) => one.query(ofItsOwn(statement), values) });
    });
  } catch {
    return read(db);
  }
}

/** A session keeps plans by the statement's name: what is planned so must not serve the read without the rule. */
const ofItsOwn = (statement: Parameters<Db["query"]>[0]): typeof statement =>
  typeof statement === "string" ? statement : { ...statement, name: `${statement.name}_by_index` };
