import pg from "pg";
import { AnswerLost } from "./database.ts";

/** SQLSTATE classes after which nothing was committed and a repeat may succeed: deadlock, serialization, bad data, constraints. */
const ROLLED_BACK = /^(40P01|40001|22...|23...)$/;

export const wasRolledBack = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && ROLLED_BACK.test(error.code);

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
