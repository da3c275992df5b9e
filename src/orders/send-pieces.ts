import type { Outcome, Provider, ProviderTask } from "../ports/provider.ts";
import type { Piece } from "./order.ts";
import { isOpen } from "./pieces.ts";

export interface Sending {
  readonly provider: Provider;
  readonly task: ProviderTask;
  /** The pieces of the attempt before this call. */
  readonly before: readonly Piece[] | null;
  /** Makes an answer fit to be stored. */
  readonly clean: (outcome: Outcome) => Outcome;
}

/**
 * Sends the open pieces of an attempt. The first goes alone, because its refusal is the order's and nothing else may have
 * left then; once it is taken the rest go together. Pieces that the vendor has are not sent again.
 */
export async function sendPieces({
  provider,
  task,
  before,
  clean,
}: Sending): Promise<readonly (Outcome | undefined)[]> {
  const count = provider.pieceCount(task);
  const outcomes: (Outcome | undefined)[] = Array.from({ length: count }, () => undefined);
  if (isOpen(before?.[0])) {
    const first = clean(await provider.send(task, 0));
    outcomes[0] = first;
    if (first.kind !== "accepted" && first.kind !== "done") return outcomes;
  }
  await Promise.all(
    outcomes.map(async (_, index) => {
      if (index > 0 && isOpen(before?.[index])) outcomes[index] = clean(await provider.send(task, index));
    }),
  );
  return outcomes;
}
