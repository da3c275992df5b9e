import type { Uuid } from "../kernel/ids.ts";
import type { Claimed, Kept } from "./delivery.ts";
import type { Health } from "./health.ts";
import type { Outcome } from "./outcome.ts";

export interface AttemptRecord {
  readonly id: Uuid;
  readonly endpointId: Uuid;
  readonly eventId: Uuid;
  readonly type: string;
  /** Counted from 1. */
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly at: Date;
  readonly nextAt: Date | null;
}

export interface KeptRow extends Kept {
  /** Of a ping. */
  readonly body: string | null;
}

/** What happened since the last commit. */
export interface Changes {
  readonly attempts: AttemptRecord[];
  /** Rows that are new or written anew. */
  readonly kept: KeptRow[];
  /** Events whose rows go. */
  readonly removed: Uuid[];
  /** Subjects of which another message waits behind one that failed. */
  readonly heldUp: Set<Uuid>;
  /** Further in the feed. */
  hasMoved: boolean;
  /** A ping was delivered. */
  isVerified: boolean;
  /** All that waits may go at once. */
  hasRecovered: boolean;
}

export const noChanges = (): Changes => ({
  attempts: [],
  kept: [],
  removed: [],
  heldUp: new Set(),
  hasMoved: false,
  isVerified: false,
  hasRecovered: false,
});

/** One commit of a session. */
export interface Settlement extends Readonly<Changes> {
  readonly endpoint: Claimed;
  readonly position: bigint;
  readonly done: readonly bigint[];
  /** Rows that wait for another attempt. */
  readonly waiting: number;
  readonly health: Health;
  /** Gives the lease back. */
  readonly isReleased: boolean;
}

export interface Settled {
  /** The endpoint is no longer as it was claimed: the session ends, and the next one begins with what it is now. */
  readonly hasChanged: boolean;
}
