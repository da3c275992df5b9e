import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  RawServerDefault,
} from "fastify";
import type { KeyRecord, LimitFor, Scope } from "../accounts/key-record.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Leave } from "../kernel/fair-room.ts";
import type { Log } from "../kernel/log.ts";
import type { ErrorCode, Refusal } from "../kernel/refusal.ts";
import type { InSlices } from "../kernel/slices.ts";
import type { BodyRoom, Hold } from "./body-room.ts";
import type { Documents } from "./documents.ts";
import type { ItemTexts } from "./json-body.ts";
import type { LimitDecision, Limits } from "./limits.ts";
import type { RequestLog } from "./request-log.ts";

/** What a route asks of the caller. `policy` names the per-minute limit; null for one that costs nothing. */
export interface RouteAuth {
  readonly service?: string;
  readonly scope: Scope;
  readonly policy: string | null;
}

/** One answer of an operation, shown in the reference. `value` is the JSON body, or a text where `mediaType` says another form. */
export interface AnswerExample {
  readonly status: number;
  readonly summary: string;
  readonly value: unknown;
  /** Default: `application/json`. */
  readonly mediaType?: string;
}

/** The configuration of a route whose body may be megabytes and slow to work on. */
export interface LargeBody {
  /** Checks the bytes before the costly parsing. */
  readonly look?: (request: FastifyRequest, bytes: Buffer) => Promise<Refusal | undefined>;
  readonly itemTexts?: ItemTexts;
}

/** A large request in progress. */
export interface LargeWork {
  /** Aborted when the caller disconnects before the answer: nothing more is committed from then on. */
  readonly gone: AbortSignal;
  /** Gives back its place and its turn. */
  readonly end: () => void;
  readonly turns: Leave[];
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Required: a route without it does not start. */
    auth?: RouteAuth | "public";
    /** Codes of the operation itself; those that its key, limits and body bring along are added. */
    errors?: readonly ErrorCode[];
    /** Its body may be large and long to work on: it waits for its account's turn. */
    large?: LargeBody;
    idempotency?: "required" | "optional" | "none";
    /** It waits for the outcome by `Prefer`, and with 202 says where to ask for it. */
    waits?: boolean;
    /** Bodies that work, by a few words. */
    requestExamples?: Readonly<Record<string, unknown>>;
    answerExamples?: readonly AnswerExample[];
  }
  interface FastifyRequest {
    /** Set once the key is known to be good. Read it with `callerOf`. */
    caller: KeyRecord | null;
    /** Of a route with `large` in its configuration. */
    work: LargeWork | null;
    /** Of a caller who has proven nothing: the room for its body. */
    hold: Hold | null;
    /** The decision on the endpoint's own limit. */
    limited: LimitDecision | null;
    /** The decision on a further limit of the same request, e.g. recipients of a bulk. */
    limitedFurther: LimitDecision | null;
    /** Whose key it came with, be the request refused: for its log line. */
    account: string | null;
    /** The order that it made, repeated or asked about, as subscribers know it: for its log line. */
    orderId: string | null;
    /** Why it was refused, if it was. */
    refused: Refusal | null;
    /** A mistake of ours that ended it. */
    thrown: unknown;
    isLogged: boolean;
  }
  interface FastifyInstance {
    edge: Edge;
  }
}

/** What the parts of the HTTP edge share. */
export interface Edge {
  readonly clock: Clock;
  readonly log: Log;
  readonly requestLog: RequestLog;
  readonly limits: Limits;
  readonly limitFor: LimitFor;
  /** Signs the cursors of lists. */
  readonly cursorKey: Buffer;
  /** For long work, so that everybody else is served meanwhile. */
  readonly inSlices: InSlices;
  /** The room for bodies of callers who have proven nothing, by address. */
  readonly strangers: BodyRoom;
  /** The pages for people under `/docs`. */
  readonly documents: Documents;
  /** Every route, as registered: for 404, 405 and the reference. */
  readonly routes: RouteEntry[];
  /** True from the signal to stop: every answer then ends its connection and `/readyz` says no. */
  draining: boolean;
}

export interface RouteEntry {
  readonly method: string;
  /** With Fastify's parameters: `/sms/status/:message_id`. */
  readonly url: string;
  readonly auth: RouteAuth | "public";
  readonly config: FastifyContextConfig;
  readonly schema: FastifySchema;
}

export type Http = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
