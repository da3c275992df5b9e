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
import type { KeyRecord, LimitFor } from "../accounts/key-record.ts";
import type { Permission } from "../accounts/roles.ts";
import type { Scope } from "../accounts/scopes.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Leave } from "../kernel/fair-room.ts";
import type { Log } from "../kernel/log.ts";
import type { ErrorCode, Refusal } from "../kernel/refusal.ts";
import type { InSlices } from "../kernel/slices.ts";
import type { Documents } from "../reference/documents.ts";
import type { BodyRoom, BodySlot } from "./body-room.ts";
import type { ItemTexts } from "./json-body.ts";
import type { LimitDecision, Limits } from "./limits.ts";
import type { Problems } from "./problems.ts";
import type { RequestLog } from "./request-log.ts";

/** What a route asks of the caller. `policy` names the per-minute limit; null for one that costs nothing. */
export type RouteAuth = RouteTerms &
  (Manages | { readonly scope: Exclude<Scope, "manage">; readonly permission?: undefined });

/** `manage` is coarse: a signed-in person needs a permission of their role in its place. */
interface Manages {
  readonly scope: "manage";
  readonly permission: Permission;
}

interface RouteTerms {
  readonly service?: string;
  /** It takes no key. */
  readonly forPeople?: true;
  readonly policy: string | null;
}

/** An example answer for the reference. `value` is the JSON body, or a text if `mediaType` is another type. */
export interface AnswerExample {
  readonly status: number;
  readonly summary: string;
  readonly value: unknown;
  /** Default: `application/json`. */
  readonly mediaType?: string;
}

/** The configuration of a route with bodies of several megabytes that take long to process. */
export interface LargeBody {
  /** Checks the bytes before the expensive parsing. */
  readonly look?: (request: FastifyRequest, bytes: Buffer) => Promise<Refusal | undefined>;
  readonly itemTexts?: ItemTexts;
}

/** A large request in progress. */
export interface LargeWork {
  /** Aborted if the caller disconnects before the answer: nothing is committed afterwards. */
  readonly gone: AbortSignal;
  /** Releases its memory and its turn. */
  readonly end: () => void;
  readonly turns: Leave[];
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Required: a route without it does not start. */
    auth?: RouteAuth | "public";
    /** Keys confirm nothing: it is for the routes of people. */
    confirmed?: true;
    /** The operation's own error codes; those of its key, limits and body are added. */
    errors?: readonly ErrorCode[];
    /** For large bodies that take long to process: requests wait for their account's turn. */
    large?: LargeBody;
    idempotency?: "required" | "optional" | "none";
    /** It waits for the outcome as `Prefer` asks; with 202 it names the URL to poll. */
    waits?: boolean;
    /** Example bodies, by title. */
    requestExamples?: Readonly<Record<string, unknown>>;
    answerExamples?: readonly AnswerExample[];
  }
  interface FastifyRequest {
    /** Set once the key is accepted. Read it with `callerOf`. */
    caller: KeyRecord | null;
    /** Set for a route with `large` in its configuration. */
    work: LargeWork | null;
    /** The memory for an unauthenticated caller's body. */
    bodySlot: BodySlot | null;
    /** The decision on the endpoint's own limit. */
    limited: LimitDecision | null;
    /** The decision on a further limit of the same request, e.g. recipients of a bulk. */
    limitedFurther: LimitDecision | null;
    /** The key, or the signed-in person, also of a refused request: for the request log. */
    record: KeyRecord | null;
    /** The key's owner, also for a refused request: for the log line. */
    account: string | null;
    /** The order that it made, repeated or read, by its public ID: for the log line. */
    orderId: string | null;
    /** Why it was refused, if it was. */
    refused: Refusal | null;
    /** An internal error that ended it. */
    thrown: unknown;
    isLogged: boolean;
    /** When its head had been read, by the monotonic clock; 0 if the framework refused it before. */
    begunAtMs: number;
  }
  interface FastifyInstance {
    edge: Edge;
  }
}

/** State shared by the parts of the HTTP edge. */
export interface Edge {
  readonly clock: Clock;
  readonly log: Log;
  readonly requestLog: RequestLog;
  readonly limits: Limits;
  readonly limitFor: LimitFor;
  /** Every error code, and what all refusals with it have in common. */
  readonly problems: Problems;
  /** Signs the cursors of lists. */
  readonly cursorKey: Buffer;
  /** Slices long work so that other requests are served meanwhile. */
  readonly inSlices: InSlices;
  /** The memory for unauthenticated callers' bodies, by address. */
  readonly strangers: BodyRoom;
  /** The pages for people under `/docs`. */
  readonly documents: Documents;
  /** Every route, as registered: for 404, 405 and the reference. */
  readonly routes: RouteEntry[];
  /** True after the stop signal: every answer closes its connection and `/readyz` fails. */
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
