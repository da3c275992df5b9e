import { correlationOf, type ProviderTask } from "../../ports/provider.ts";

type Attempt = Pick<ProviderTask, "orderId" | "attempt" | "recipient">;

/** Messages per recipient with distinct references; well below the 256 of 8 bits. */
const MESSAGES_MAX = 128;
/** Remembered recipients of recent long messages. */
const RECIPIENTS_MAX = 5_000;

/**
 * The reference that holds the parts of a long message together. A handset keeps parts of an unfinished message for hours and puts
 * them together by sender, reference and number of parts, so messages to one recipient must not share one.
 *
 * It is a function of order and attempt: on another node, and after a restart, a repeated part joins those that are there already.
 * Where a message to the same recipient has it at the time, the next free one is taken and kept in memory; a repeat of a part after
 * a restart then starts the message anew.
 */
export class ConcatReferences {
  /** References by recipient (latest last) and message (oldest first). */
  readonly #recipients = new Map<string, Map<number, string>>();
  readonly #modulus: number;

  constructor(bits: 8 | 16) {
    this.#modulus = 2 ** bits;
  }

  /** A stable reference per attempt, while it is among the latest to its recipient. */
  of({ orderId, attempt, recipient }: Attempt): number {
    const message = `${orderId}/${attempt}`;
    const taken = this.#takenFor(recipient);
    for (const [reference, other] of taken) if (other === message) return reference;
    let reference = baseReference({ orderId, attempt }) % this.#modulus;
    while (taken.has(reference)) reference = (reference + 1) % this.#modulus;
    taken.set(reference, message);
    dropOldest(taken, MESSAGES_MAX);
    return reference;
  }

  #takenFor(recipient: string): Map<number, string> {
    const taken = this.#recipients.get(recipient) ?? new Map<number, string>();
    this.#recipients.delete(recipient);
    this.#recipients.set(recipient, taken);
    dropOldest(this.#recipients, RECIPIENTS_MAX);
    return taken;
  }
}

/** Sixteen bits; an 8-bit reference is the lower half. */
export const baseReference = ({ orderId, attempt }: Pick<Attempt, "orderId" | "attempt">): number =>
  correlationOf(orderId, attempt, 0);

function dropOldest<Key>(map: Map<Key, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return;
    map.delete(key);
  }
}
