import type { Uuid } from "../kernel/ids.ts";
import type { Message, Tries } from "./delivery.ts";

/** A message with a row of its own that is due, or that goes before such a one. */
export interface DueMessage extends Tries {
  readonly message: Message;
  readonly position: bigint | null;
}

/** Of a subject's rows, the last of which is why they were read. */
const attemptsOf = (rows: readonly DueMessage[]): number => rows.at(-1)!.attempts;

/**
 * Those that are not in memory and have room there, the subjects tried least often first. All of a subject come or none: without its
 * later messages the earlier ones would be tried again and again, for nothing.
 */
export function wholeSubjects(
  due: readonly DueMessage[],
  inMemory: ReadonlySet<Uuid>,
  max: number,
): readonly DueMessage[] {
  const subjects = [...Map.groupBy(due, ({ message }) => message.subjectId).values()];
  const taken: DueMessage[] = [];
  for (const rows of subjects.sort((a, b) => attemptsOf(a) - attemptsOf(b))) {
    const fresh = rows.filter(({ message }) => !inMemory.has(message.eventId));
    const size = inMemory.size + taken.length;
    if (size === 0 || size + fresh.length <= max) taken.push(...fresh);
  }
  return taken;
}
