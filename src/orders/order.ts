import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Facts } from "../ports/provider.ts";
import type { MoneyMove } from "./steps.ts";

/** What is known of one wire request of an attempt (a part of a message, a whole purchase). */
export interface Piece {
  /**
   * `open`: to be sent (again). `unheard`: of a purchase that is sent again under the same reference, as its node recorded no outcome
   * of the first call and may be frozen. `unanswered`: may have been taken. `taken`: the vendor has it by its own word. `refused`: not
   * taken, for certain. Otherwise the status of its last report.
   */
  readonly status: "open" | "unheard" | "unanswered" | "taken" | "refused" | string;
  /** The vendor's reference, normalised. */
  readonly reference?: string;
  /** Since when the vendor does not find it, although it took it. RFC 3339; absent once it finds it again. */
  readonly denied_at?: string;
}

/**
 * What to do when a vendor's answer is lost: `retry` sends again (a repeat is possible), `fail` does not (at most once),
 * `requery` asks the vendor until it knows.
 */
export type Ambiguity = "retry" | "fail" | "requery";

/** An order as the engine reads it. `payload` and `facts` belong to the service. */
export interface Order {
  readonly accountId: Uuid;
  readonly id: Uuid;
  readonly mode: Mode;
  readonly service: string;
  readonly queue: string;
  readonly state: string;
  readonly version: number;
  readonly priority: number;
  readonly leaseEpoch: number;
  readonly ambiguity: Ambiguity;
  readonly attempt: number;
  readonly route: string | null;
  /** Our reference for the current attempt, if its vendor demands one. */
  readonly attemptReference: string | null;
  /** When the current attempt was begun; null once its outcome is recorded. With the next columns: see `attemptState`. */
  readonly begunAt: Date | null;
  /** First lost or unclear answer, or acceptance without a reference. */
  readonly ambiguousAt: Date | null;
  /** Counts for the next wait: lost answers of a message; of a purchase, answers to calls and questions that left it open. */
  readonly tries: number;
  /** First of the `not_found` answers that count as proof; null once the vendor says that it has the purchase. */
  readonly notFoundAt: Date | null;
  /** When the vendor first called the purchase failed; null once it says that it has it. */
  readonly failedAt: Date | null;
  /** Routes that refused it. */
  readonly tried: readonly string[];
  readonly pieces: readonly Piece[] | null;
  readonly priceKobo: Kobo;
  readonly taxKobo: Kobo;
  readonly recipient: string;
  readonly groupId: Uuid | null;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly payload: unknown;
  readonly facts: Facts | null;
  readonly sendAt: Date | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly endedAt: Date | null;
  /** When it is due; while it is leased, when the lease runs out. Null: nothing to do. */
  readonly dueAt: Date | null;
  /** End of a node's lease (database clock). */
  readonly leasedUntil: Date | null;
}

/** The columns that belong to the service. */
export type OwnColumns = Pick<Order, "payload" | "facts">;

/** Dispatch classes: single before bulk, transactional before promotional. The lowest number goes first. */
export const PRIORITY = {
  singleTransactional: 0,
  singlePromotional: 1,
  bulkTransactional: 2,
  bulkPromotional: 3,
} as const;

/** Bulk orders have commit lanes of their own, and leave a part of each window free. */
export const isBulk = (order: Pick<Order, "priority">): boolean => order.priority >= PRIORITY.bulkTransactional;

export const queueOf = (service: string, mode: Mode): string => `${service}:${mode}`;

/** One step of an order's life, decided on `before` (its version must still be current when it is applied). */
export interface Change {
  readonly before: Order;
  readonly after: Order;
  /** Null: nothing to do until a report comes. Ignored while the lease is kept: the order is then due when that runs out. */
  readonly dueAt: Date | null;
  readonly keepLease: boolean;
  /**
   * What must hold by the database's clock: this node's live lease (begin), or nobody's (cancel). `own begin`: the begin that this was
   * decided on, of which nobody knows whether it was stored.
   */
  readonly needs?: "own lease" | "no lease" | "own begin";
  readonly at: Date;
  readonly money?: MoneyMove;
  /** The amount posted, if less than the whole hold. */
  readonly takenKobo?: Kobo;
  /** Event type for subscribers, e.g. `sms.sent`. */
  readonly event?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** Vendor references learned, by which reports find the order. */
  readonly references: readonly LearnedReference[];
}

export interface LearnedReference {
  readonly route: string;
  readonly reference: string;
  readonly attempt: number;
  readonly piece: number;
}
