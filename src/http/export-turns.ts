import { makeFairRoom } from "../kernel/fair-room.ts";

/** Exports take turns page by page: two pages are read at once, one of an account, however many are asked for. */
const TURNS = { capacity: 2, each: 1, waitingMax: 1_000, waitingEach: 300, waitMs: 120_000 } as const;

/** Reads one page of an account's export when it is its turn. */
export type ReadInTurn = <Page>(accountId: string, read: () => Promise<Page>) => Promise<Page>;

export function makeExportTurns(): ReadInTurn {
  const room = makeFairRoom(TURNS);
  return async (accountId, read) => {
    const leave = await room.enter(accountId, 1);
    // The answer has begun, so all that can be done is to break it off: a file that ends early is not taken for a whole one.
    if (!leave) throw new Error("an export waited too long for its next page");
    // The turn ends before the page is handed on: whoever does not read it keeps nobody waiting.
    return read().finally(leave);
  };
}
