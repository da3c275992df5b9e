import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Facts } from "../ports/provider.ts";
import type { Money } from "./steps.ts";

/** One wire request of an attempt: what is known of it. */
export interface Piece {
  /**
   * `open`: to be sent (again). `unheard`: the same, but the node that began it is gone or frozen, so it goes again under the same
   * name. `unanswered`: may have been taken. `taken`: the vendor has it by its own word. Then the reports' words.
   */
  readonly status: "open" | "unheard" | "unanswered" | "taken" | "refused" | string;
  /** The vendor's reference, normalised. */
  readonly reference?: string;
  /** Since when the vendor, against its own word, does not find it. RFC 3339; gone once it does. */
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
  /** Our reference for the present attempt, where its vendor demands one. */
  readonly attemptReference: string | null;
  readonly begunAt: Date | null;
  readonly ambiguousAt: Date | null;
  readonly tries: number;
  readonly notFoundAt: Date | null;
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
  /** When it is next looked at; while it is held, when the lease runs out. Null: nothing to do. */
  readonly dueAt: Date | null;
  /** Held by a node until then (database clock). */
  readonly leasedUntil: Date | null;
}

/** Dispatch classes: single before bulk, transactional before promotional. 0 goes first. */
export const PRIORITY = {
  singleTransactional: 0,
  singlePromotional: 1,
  bulkTransactional: 2,
  bulkPromotional: 3,
} as const;

/** Bulk orders give way: they have lanes of their own and leave some of each window free. */
export const isBulk = (order: Pick<Order, "priority">): boolean => order.priority >= PRIORITY.bulkTransactional;

export const queueOf = (service: string, mode: Mode): string => `${service}:${mode}`;

/** One step of an order's life, decided on `before` (its version must still be current when it is applied). */
export interface Change {
  readonly before: Order;
  readonly after: Order;
  /** Null: nothing to do until a report comes. Without meaning while the lease is kept: then it is due when that runs out. */
  readonly dueAt: Date | null;
  readonly keepLease: boolean;
  /** What must hold by the database's clock: the node's own live lease (begin), or that nobody has one (cancel). */
  readonly needs?: "own lease" | "no lease";
  readonly at: Date;
  readonly money?: Money;
  /** What of the hold is taken, when that is less than the whole. */
  readonly takenKobo?: Kobo;
  /** Event type for subscribers, e.g. `sms.sent`. */
  readonly event?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** References learned, so that reports find the order. */
  readonly references: readonly LearnedReference[];
}

export interface LearnedReference {
  readonly route: string;
  readonly reference: string;
  readonly attempt: number;
  readonly piece: number;
}
