import pg from "pg";
import { AnswerLost, DatabaseAway, isServerAnswer } from "./database.ts";

/** An answer of the server with an SQLSTATE: the statement was rolled back. (A session's end is `AnswerLost`, see database.ts.) */
export const wasRolledBack: (error: unknown) => boolean = isServerAnswer;

/**
 * A server that takes no writes (25: a standby after a failover), conflicts (40), resources (53), locks (55), operators' doings (57), the system (58) and defects of the server (XX): waiting
 * may mend them. Everything else is about the data or the statement and stays wrong however often it is repeated.
 */
const HEALING = /^(25|40|53|55|57|58|XX)/;

export const mayHeal = (error: unknown): boolean =>
  error instanceof DatabaseAway ||
  error instanceof AnswerLost ||
  (error instanceof pg.DatabaseError && HEALING.test(error.code ?? ""));

/**
 * Runs a batch so that one bad item can't fail the others: a batch that the database rolled back is repeated whole once
 * (deadlocks and races heal), then item by item, and only the item at fault gets the error.
 */
export async function runBatchOrSingly<Item, Answer>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly (Answer | Error)[]>,
): Promise<readonly (Answer | Error)[]> {
  for (const lastTry of [false, true]) {
    try {
      return await run(items);
    } catch (error) {
      if (!wasRolledBack(error)) throw error;
      if (!lastTry) continue;
      if (items.length === 1) return [error as Error];
    }
  }
  const answers: (Answer | Error)[] = [];
  for (const item of items) {
    try {
      answers.push(...(await run([item])));
    } catch (error) {
      // Items before this one are committed: the caller must ask what became of the batch, not take it as never sent.
      if (!wasRolledBack(error)) throw new AnswerLost((error as Error).message, { cause: error });
      answers.push(error as Error);
    }
  }
  return answers;
}
