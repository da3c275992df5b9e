import { moPdus } from "./delivery.ts";
import { type LogLine, type MoLine, type ReceiptStat, readSmscLogInBlocks, type SubmitLine } from "./log.ts";

/** A submission that was taken. */
export type Taken = SubmitLine & { readonly messageId: string; readonly outcome: ReceiptStat };

export const isTaken = (line: SubmitLine): line is Taken => line.messageId !== null && line.outcome !== null;

/** A line whose deliver_sm are not all acknowledged: by index, those that are. */
export interface Owed {
  readonly line: Taken | MoLine;
  readonly acknowledged: ReadonlySet<number>;
}

/** Reads the log of an earlier process: gives each line to `see`, and in the end what is still owed to the ESMEs. */
export async function readBack(dataDir: string, see: (line: LogLine) => void): Promise<readonly Owed[]> {
  const owed = new Map<string, { readonly line: Taken | MoLine; readonly acknowledged: Set<number> }>();
  const note = (line: LogLine): void => {
    if (line.kind === "receipt" || line.kind === "mo_part") {
      const entry = owed.get(line.messageId);
      entry?.acknowledged.add(line.index);
      if (entry && entry.acknowledged.size === deliveriesOf(entry.line)) owed.delete(line.messageId);
    } else if (line.kind === "mo" || (isTaken(line) && line.receipts.length > 0)) {
      owed.set(line.messageId, { line, acknowledged: new Set() });
    }
  };
  for await (const lines of readSmscLogInBlocks(dataDir))
    for (const line of lines) {
      see(line);
      note(line);
    }
  return [...owed.values()];
}

/** How many deliver_sm a line brings about. */
const deliveriesOf = (line: Taken | MoLine): number =>
  line.kind === "mo" ? moPdus(line).length : line.receipts.length;
