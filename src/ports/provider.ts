import type { Clock } from "../kernel/clock.ts";
import type { FailureCode } from "../kernel/failures.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Result } from "../kernel/result.ts";
import type { InSlices } from "../kernel/slices.ts";
import type { VendorTemplate } from "./chat-payload.ts";
import type { Contact } from "./contact.ts";
import type { MeterAnswer, MeterQuery } from "./meter.ts";
import type { SmartcardAnswer, SmartcardQuery } from "./smartcard.ts";

export type { Contact, ProbeAnswer } from "./contact.ts";

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
  /** Our reference for the attempt, made by `makeReference` and committed before the call. Null where the provider makes none. */
  readonly reference: string | null;
  /** When it is asked after: what the vendor called the attempt, if it has said so. */
  readonly providerReference?: string;
  /** When the order stops being worth sending; the vendor gets what remains. */
  readonly expiresAt: Date | null;
  /**
   * Asked right before bytes leave. False once the lease may have passed to another node: then nothing is written and the
   * answer is `throttled` with `retryAfterMs: 0`, which is certain: not sent.
   */
  mayStillSend(): boolean;
  /** Takes an answer that came after its time limit, when `send` had resolved with `unknown` for the piece. At most once a piece. */
  answeredLate?(piece: number, outcome: Outcome): void;
}

/** The closed list of what an adapter may answer. Whatever is not in the adapter's status table is `unknown`. */
export type Outcome =
  /**
   * The vendor has it; a report or requery will follow. `providerReference` is already normalised for this provider; without
   * one the report is matched by what else it says, as if the answer had been lost.
   */
  | {
      readonly kind: "accepted";
      readonly providerReference?: string;
      readonly facts?: Facts;
      /** When the vendor wants to be asked; else the service's own schedule counts. */
      readonly askAgainMs?: number;
      /** It is delivered, but what the customer needs of it (a token) has not come yet. */
      readonly incomplete?: true;
      readonly doubt?: Doubt;
    }
  /** Delivered, proven. */
  | { readonly kind: "done"; readonly providerReference?: string; readonly facts?: Facts; readonly doubt?: Doubt }
  /** Certain: not done. `order`: no other vendor would either. `route`: not here, the next route may. */
  | {
      readonly kind: "rejected";
      readonly scope: "order" | "route";
      readonly code: FailureCode;
      /** The vendor's words, which the subscriber may see. */
      readonly detail: string;
      /** Set when it is our own trouble (float empty, credentials refused): what the operator must hear, and nobody else. */
      readonly alarm?: string;
    }
  /** Certain: not taken now; the same route later. */
  | {
      readonly kind: "throttled";
      /** How long at least, by the vendor's word or the adapter's settings; 0: nothing was offered to the vendor. */
      readonly retryAfterMs: number;
      readonly detail: string;
      /** The vendor says it of all that we send (it is too busy, or we are too fast), not of this order: the route slows down. */
      readonly ofRoute?: true;
      /** Because it took a purchase like this one a moment ago: the first call of a repeat may be that one. */
      readonly isLikeAnother?: true;
    }
  /** It may or may not have been done. */
  | {
      readonly kind: "unknown";
      readonly detail: string;
      /**
       * The vendor has our reference by its own word: it refuses it as used, or shows a transaction or a number of its own for it.
       * Only of vendors that are asked by a reference of ours.
       */
      readonly isKnown?: true;
      readonly facts?: Facts;
      readonly doubt?: Doubt;
    }
  /** Requery only: the vendor does not know our reference. No proof of anything once it had it by its own word. */
  | { readonly kind: "not_found"; readonly detail: string }
  /** Requery or report only: the vendor took it back. */
  | { readonly kind: "reversed"; readonly detail: string };

/** What a person must look at in an answer that speaks of a delivery: the operator is told at once, by log and case. */
export interface Doubt {
  /** In words, without tokens. */
  readonly why: string;
  /** The answer as it came. It may have tokens, so it is sealed before it is stored. */
  readonly answer: string;
}

/** Things learned from a vendor that the order's service may show (network, token …). JSON. */
export type Facts = Readonly<Record<string, unknown>>;

/** A vendor's later word on something it accepted. */
export interface ProviderReport {
  /** Normalised like `accepted.providerReference`. Absent when the vendor names none. */
  readonly providerReference?: string;
  /** A second name that the vendor gives, of which one is ours: tried where the first is no order's. Normalised like it. */
  readonly otherReference?: string;
  /** One of the service's report words, e.g. for SMS: sent, delivered, undelivered, expired, rejected. */
  readonly status: string;
  /** When it happened by the vendor's clock, or when it came in. */
  readonly at: Date;
  readonly code?: FailureCode;
  readonly detail?: string;
  readonly facts?: Facts;
  /** Our reference of the attempt, when the vendor echoes it: finds the order even if the vendor's own was never learned. */
  readonly ourReference?: string;
  /** `correlationOf` of the piece, when the vendor echoes it. */
  readonly correlation?: number;
  /** Of the original order: used to match an `unknown` one whose reference was never learned. */
  readonly recipient?: string;
  readonly sender?: string;
}

/** Something a handset sent to us, or a vendor's notice of something that a person did. */
export interface InboundMessage {
  /** The vendor's id, or a digest of the content and time: repeats are recorded once. */
  readonly providerReference: string;
  /** A phone without `+`, or a vendor's id of a user. */
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
  /**
   * A word that can't be trusted (a callback without a signature) about the attempt with this reference of ours: changes
   * nothing, and makes the order due to be asked about. `isKnown`: the word is the vendor's for certain (a signature), so the vendor
   * has the attempt, which is recorded; what became of it is asked for all the same.
   */
  hint(reference: string, isKnown?: boolean): Promise<void>;
  /** The vendor's price list changed: fetch it anew. */
  plansChanged(): void;
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
  /**
   * Whether the vendor is reached, by a question that the adapter chooses and asks from `start` on. It closes no route by itself:
   * `ready` does, where nothing that is sent could be taken.
   */
  contact?(): Contact;
  /** The longest that `send` or `requery` takes to resolve: a lease must outlast it. */
  readonly answerWithinMs: number;
  /** How many wire requests the task takes here; each is a piece with a reference and reports of its own. */
  pieceCount(task: ProviderTask<Payload>): number;
  /**
   * Our reference for an attempt, in the form that this vendor demands. Made once, committed before the call, and from then on
   * read from the task: what the vendor is asked by must never be made again.
   */
  makeReference?(task: Pick<ProviderTask<Payload>, "orderId" | "attempt">, at: Date): string;
  /** Sends one piece (0-based). Never throws; resolves within the provider's own time limit. */
  send(task: ProviderTask<Payload>, piece: number): Promise<Outcome>;
  /** Asks what became of an attempt. Moves nothing, so it may be repeated. */
  requery?(task: ProviderTask<Payload>): Promise<Outcome>;
  /** Of each product that it sells by plans: all plans of this vendor just now; undefined when they can't be learned (try again later). */
  readonly plans?: Readonly<Record<string, () => Promise<readonly VendorPlan[] | undefined>>>;
  /** Says whom a recipient belongs to, by what it is. Buys nothing. Resolves within `answerWithinMs`. */
  readonly verify?: Verifiers;
  /** Of each product that belongs to a biller (a disco), by our codes: whom this vendor sells for, and whether it can do so now. */
  readonly billers?: Readonly<Record<string, () => Promise<ReadonlyMap<string, boolean> | undefined>>>;
  /** What is left of the money that we keep with the vendor, in kobo; undefined when it can't be learned. */
  balance?(): Promise<Kobo | undefined>;
  /** Chat: stores a file with the vendor, to be sent by its id; undefined when that failed. */
  uploadMedia?(file: MediaFile): Promise<string | undefined>;
  /** Chat: a file that somebody sent, by the vendor's id; undefined when it can't be had. Longer than `bytesMax` is given up. */
  downloadMedia?(id: string, bytesMax: number): Promise<MediaFile | undefined>;
  /** Chat: all templates of the account that these numbers belong to; undefined when they can't be learned. */
  templates?(): Promise<readonly VendorTemplate[] | undefined>;
  /** Chat: the numbers that it writes from, E.164 without `+`. */
  readonly chatNumbers?: readonly string[];
  /** The vendor calls us, at /callbacks/<name>/…. What it says is stored (by the sink) before this resolves. */
  callback?(request: CallbackRequest): Promise<CallbackAnswer>;
  /** What a call must be before its body is read. */
  readonly callbackGate?: CallbackGate;
}

export interface CallbackGate {
  /** The largest body that this vendor sends, with room to grow. */
  readonly bytesMax: number;
  /** The answer to a call that nothing in its body could make good: without a signature, or at the wrong path. */
  look?(head: Omit<CallbackRequest, "body">): CallbackAnswer | undefined;
}

export interface MediaFile {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly filename?: string;
}

/** A plan of a product, as a vendor lists it: a data bundle. */
export interface VendorPlan {
  /** The vendor's own code. */
  readonly code: string;
  /** Whose plan it is, by our code: of a data bundle the network. */
  readonly group: string;
  /** Free text: what the plan contains, and for how long. */
  readonly name: string;
  /** What the vendor asks for it. */
  readonly costKobo: Kobo;
}

/** What can be verified, each with a question and an answer of its own. */
export interface Verifiers {
  readonly meter?: (query: MeterQuery) => Promise<MeterAnswer>;
  readonly smartcard?: (query: SmartcardQuery) => Promise<SmartcardAnswer>;
}

export interface CallbackRequest {
  readonly method: string;
  /** After `/callbacks/<name>`, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw bytes: signatures are over these. */
  readonly body: Buffer;
}

export interface CallbackAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface ProviderDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: typeof fetch;
  /** For what a vendor's large call brings. Without it all is done at once. */
  readonly inSlices?: InSlices;
}

/** One vendor protocol. `adapter` is what the configuration names. */
export interface ProviderDefinition {
  readonly adapter: string;
  /** The name of the simulator that speaks this protocol, where there is one. */
  readonly simulator?: string;
  /** Checks the settings and builds the connection, or lists everything that is wrong with them. Starts nothing. */
  build(name: string, settings: unknown, deps: ProviderDeps): Result<Provider, readonly string[]>;
  /** How the statement of an account there is read, where there is one. */
  readonly statement?: StatementFormat;
}

/** A vendor's statement of an account, as CSV. */
export interface StatementFormat {
  /** The headings under which each thing may stand. Upper and lower case, spaces and punctuation make no difference. */
  readonly columns: Readonly<Record<StatementColumn, readonly string[]>>;
  /** The vendor's words for what became of it, in lower case. What is not here is unknown. */
  readonly statuses: Readonly<Record<string, StatementStatus>>;
  /** IANA name of the zone of times without one. */
  readonly timeZone: string;
}

export type StatementColumn =
  /** Our reference of the attempt. */
  | "reference"
  /** The vendor's own number of the transaction. */
  | "id"
  /** What was bought, in naira. */
  | "amount"
  /** What the vendor took from our float, in naira. */
  | "cost"
  | "status"
  | "at";

export type StatementStatus = "delivered" | "pending" | "failed" | "reversed";

/**
 * Sixteen bits that name a piece of an attempt, carried to the vendor where its protocol has a field for them
 * (SMPP: `user_message_reference`), so that a receipt can be matched although its reference was never learned.
 * Not unique: only used together with recipient and time.
 */
export function correlationOf(orderId: Uuid, attempt: number, piece: number): number {
  const random = Number.parseInt(orderId.slice(-4), 16);
  return (random + attempt * 1009 + piece * 257) & 0xffff;
}
