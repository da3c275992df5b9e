import type { Clock } from "../kernel/clock.ts";
import type { FailureCode } from "../kernel/failures.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Result } from "../kernel/result.ts";

/** What the engine hands to an adapter: one attempt of one order. The adapter knows the payload's shape, the engine does not. */
export interface ProviderTask<Payload = unknown> {
  readonly orderId: Uuid;
  readonly service: string;
  readonly mode: Mode;
  /** 1, 2, 3 … Our reference for the attempt is (orderId, attempt); it is committed before the call where that matters. */
  readonly attempt: number;
  /** E.164 without `+`, or whatever the service addresses (a meter number). */
  readonly recipient: string;
  readonly payload: Payload;
  /** When the order stops being worth sending; the vendor gets what remains. */
  readonly expiresAt: Date | null;
  /**
   * Asked right before bytes leave. False once the lease may have passed to another node: then nothing is written and the
   * answer is `throttled` with `retryAfterMs: 0`, which is certain: not sent.
   */
  mayStillSend(): boolean;
}

/** The closed list of what an adapter may answer. Whatever is not in the adapter's status table is `unknown`. */
export type Outcome =
  /**
   * The vendor has it; a report or requery will follow. `providerReference` is already normalised for this provider; without
   * one the report is matched by what else it says, as if the answer had been lost.
   */
  | { readonly kind: "accepted"; readonly providerReference?: string; readonly facts?: Facts }
  /** Delivered, proven. */
  | { readonly kind: "done"; readonly providerReference?: string; readonly facts?: Facts }
  /** Certain: not done. `order`: no other vendor would either. `route`: not here, the next route may. */
  | {
      readonly kind: "rejected";
      readonly scope: "order" | "route";
      readonly code: FailureCode;
      readonly detail: string;
    }
  /** Certain: not taken now; the same route later. */
  | { readonly kind: "throttled"; readonly retryAfterMs: number; readonly detail: string }
  /** It may or may not have been taken. */
  | { readonly kind: "unknown"; readonly detail: string }
  /** Requery only: the vendor does not know our reference. */
  | { readonly kind: "not_found"; readonly detail: string }
  /** Requery or report only: the vendor took it back. */
  | { readonly kind: "reversed"; readonly detail: string };

/** Things learned from a vendor that the order's service may show (network, token …). JSON. */
export type Facts = Readonly<Record<string, unknown>>;

/** A vendor's later word on something it accepted. */
export interface ProviderReport {
  /** Normalised like `accepted.providerReference`. Absent when the vendor names none. */
  readonly providerReference?: string;
  /** One of the service's report words, e.g. for SMS: sent, delivered, undelivered, expired, rejected. */
  readonly status: string;
  /** When it happened by the vendor's clock, or when it came in. */
  readonly at: Date;
  readonly code?: FailureCode;
  readonly detail?: string;
  readonly facts?: Facts;
  /** `correlationOf` of the piece, when the vendor echoes it. */
  readonly correlation?: number;
  /** Of the original order: used to match an `unknown` one whose reference was never learned. */
  readonly recipient?: string;
  readonly sender?: string;
}

/** Something a handset sent to us. */
export interface InboundMessage {
  /** The vendor's id, or a digest of the content and time: repeats are recorded once. */
  readonly providerReference: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly at: Date;
  readonly facts?: Facts;
}

/** Where a provider's own initiative goes. Each promise settles after commit: acknowledge to the vendor only then. */
export interface ProviderSink {
  report(report: ProviderReport): Promise<void>;
  inbound(message: InboundMessage): Promise<void>;
  /** The provider became able or unable to take requests. */
  readinessChanged(): void;
}

/** One configured connection to one vendor. */
export interface Provider<Payload = unknown> {
  readonly name: string;
  /** Begins connecting; resolves at once. A vendor that is away is not an error: `ready()` is false until it is back. */
  start(sink: ProviderSink): Promise<void>;
  /** Stops taking requests, waits for answers under way, closes. Safe to call twice. */
  stop(): Promise<void>;
  ready(): boolean;
  /** While it is not ready: why, in words for the operator, without secrets. Undefined when nothing has failed so far. */
  whyNotReady?(): string | undefined;
  /** The longest that `send` or `requery` takes to resolve: a lease must outlast it. */
  readonly answerWithinMs: number;
  /** How many wire requests the task takes here; each is a piece with a reference and reports of its own. */
  pieceCount(task: ProviderTask<Payload>): number;
  /** Sends one piece (0-based). Never throws; resolves within the provider's own time limit. */
  send(task: ProviderTask<Payload>, piece: number): Promise<Outcome>;
  /** Asks what became of an attempt. Moves nothing, so it may be repeated. */
  requery?(task: ProviderTask<Payload>): Promise<Outcome>;
}

export interface ProviderDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/** One vendor protocol. `adapter` is what the configuration names. */
export interface ProviderDefinition {
  readonly adapter: string;
  /** Checks the settings and builds the connection, or lists everything that is wrong with them. Starts nothing. */
  build(name: string, settings: unknown, deps: ProviderDeps): Result<Provider, readonly string[]>;
}

/**
 * Sixteen bits that name a piece of an attempt, carried to the vendor where its protocol has a field for them
 * (SMPP: `user_message_reference`), so that a receipt can be matched although its reference was never learned.
 * Not unique: only used together with recipient and time.
 */
export function correlationOf(orderId: Uuid, attempt: number, piece: number): number {
  const random = Number.parseInt(orderId.slice(-4), 16);
  return (random + attempt * 1009 + piece * 257) & 0xffff;
}
