import { COMMAND_STATUS } from "../../providers/smpp/wire/status.ts";
import type { ReceiptStat, SubmitLine, Trace } from "./log.ts";

/** This SMSC's own `command_status` (0x400–0x4FF are the vendor's): the subscriber has Do-Not-Disturb on. */
export const DND_STATUS = 0x0410;

/** `err` and `network_error_code` of an undelivered message: MAP's absentSubscriber. Source: 3GPP TS 29.002, clause 17.6.6. */
const ABSENT_SUBSCRIBER_ERROR = 27;

/** What the SMSC does with the messages to one number. */
export interface Scenario {
  readonly meaning: string;
  /** Submits that are not taken: with which answer (null: none at all), and which of an order's submits. */
  readonly notTaken?: {
    readonly status: number | null;
    readonly which: "all" | "first_attempt" | "first_three";
  };
  /** What the receipts of a taken message say, in the order of sending. The first final one is how the message ends. */
  readonly receipts: readonly ReceiptStat[];
  /** Receipts of single parts of a message of several, by index from 1, where they differ. */
  readonly receiptsOfPart?: Readonly<Record<number, readonly ReceiptStat[]>>;
  /** `network_error_code` of an end that is not DELIVRD. */
  readonly networkError?: number;
}

const ORDINARY: Scenario = { meaning: "delivered", receipts: ["DELIVRD"] };

/** The magic numbers of test mode, by their last two digits after +23480000000. Every other number is ordinary. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "01": {
    meaning: "refused at submission: the network does not know the number",
    notTaken: { status: COMMAND_STATUS.RINVDSTADR.code, which: "all" },
    receipts: [],
  },
  "02": {
    meaning: "accepted, then undelivered: absent subscriber",
    receipts: ["UNDELIV"],
    networkError: ABSENT_SUBSCRIBER_ERROR,
  },
  "03": {
    meaning: "refused at submission with the vendor's code for Do-Not-Disturb",
    notTaken: { status: DND_STATUS, which: "all" },
    receipts: [],
  },
  "04": {
    meaning: "the first attempt is neither taken nor answered, the second is delivered",
    notTaken: { status: null, which: "first_attempt" },
    receipts: ["DELIVRD"],
  },
  "05": {
    meaning: "never taken, never answered",
    notTaken: { status: null, which: "all" },
    receipts: [],
  },
  "06": {
    meaning: "delivered; receipts repeated and out of order",
    receipts: ["DELIVRD", "ENROUTE", "DELIVRD"],
  },
  "07": {
    meaning: "throttled three times, then delivered",
    notTaken: { status: COMMAND_STATUS.RTHROTTLED.code, which: "first_three" },
    receipts: ["DELIVRD"],
  },
  "09": { meaning: "accepted, then expired", receipts: ["EXPIRED"] },
  "10": {
    meaning: "delivered, but part 2 of a message of several undelivered",
    receipts: ["DELIVRD"],
    receiptsOfPart: { 2: ["UNDELIV"] },
    networkError: ABSENT_SUBSCRIBER_ERROR,
  },
};

const MAGIC_NUMBER = /^\+?23480000000(\d\d)$/;

export function scenarioOf(destination: string): Scenario {
  const digits = MAGIC_NUMBER.exec(destination)?.[1];
  return (digits !== undefined && SCENARIOS[digits]) || ORDINARY;
}

/** What a scenario needs to know of a submit. */
export type Try = Pick<SubmitLine, "source" | "destination" | "shortMessage" | "trace">;

/** Orders whose tries are remembered: only those to numbers 04 and 07, so a bound that no test comes near. */
const ORDERS_MAX = 20_000;

/**
 * Counts the tries of each order to the numbers whose answer depends on them. An order is known by its trace; without one,
 * by sender, number and text.
 */
export class Tries {
  readonly #orders = new Map<
    string,
    { submits: number; readonly first: Trace | undefined; readonly pieces: Set<number> }
  >();

  /** Whether this submit is one that the scenario does not take. Counts it, so it is asked once for each submit. */
  isNotTaken({ notTaken }: Scenario, submit: Try): boolean {
    if (!notTaken) return false;
    if (notTaken.which === "all") return true;
    const key = submit.trace?.orderId ?? `${submit.source}\n${submit.destination}\n${submit.shortMessage}`;
    let order = this.#orders.get(key);
    if (!order) {
      order = { submits: 0, first: submit.trace, pieces: new Set() };
      this.#orders.set(key, order);
      if (this.#orders.size > ORDERS_MAX) this.#forgetOldest();
    }
    order.submits += 1;
    if (notTaken.which === "first_three") return order.submits <= 3;
    // Several parts of the first attempt may be under way at once: none of them is taken. A part that comes again is a
    // second try, whether the sender counts it as an attempt or not.
    const piece = submit.trace?.piece ?? 0;
    const seen = order.pieces.has(piece);
    order.pieces.add(piece);
    return !seen && submit.trace?.attempt === order.first?.attempt;
  }

  #forgetOldest(): void {
    for (const key of this.#orders.keys()) {
      this.#orders.delete(key);
      return;
    }
  }
}
