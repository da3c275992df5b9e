import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifySchema,
  RawServerDefault,
} from "fastify";
import type { Clock } from "../kernel/clock.ts";
import type { ErrorCode } from "../kernel/refusal.ts";
import type { Log, Mode } from "../providers/provider.ts";
import type { LimitDecision, Limits } from "./limits.ts";

export type Scope = "read" | "send" | "vend" | "manage";

/** Who a key speaks for, as the accounts know it. Cached for a few seconds: never changed in place. */
export interface KeyRecord {
  readonly keyId: string;
  readonly accountId: string;
  readonly accountSuspended: boolean;
  readonly mode: Mode;
  /** Services the key is limited to; null for all. */
  readonly services: readonly string[] | null;
  readonly scopes: readonly string[];
  /** Addresses or CIDR blocks the key may be used from; null for any. */
  readonly cidrs: readonly string[] | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** By service. A service that is not here is not subscribed to. */
  readonly subscriptions: Readonly<Record<string, { readonly plan: string }>>;
}

/** Finds a key by the HMAC of its text. A rejection means that storage is away, never that the key is unknown. */
export interface KeyLookup {
  find(hash: Buffer): Promise<KeyRecord | undefined>;
}

/** Points in a minute that the caller's plan gives to a policy. */
export type LimitFor = (caller: KeyRecord, policy: string) => number;

/** What a route asks of the caller. `policy` names the per-minute limit; null for one that costs nothing. */
export interface RouteAuth {
  readonly service?: string;
  readonly scope: Scope;
  readonly policy: string | null;
}

/** One answer of an operation, shown in the reference. `value` is the JSON body. */
export interface AnswerExample {
  readonly status: number;
  readonly summary: string;
  readonly value: unknown;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Required: a route without it does not start. */
    auth?: RouteAuth | "public";
    /** Codes of the operation itself; those that its key, limits and body bring along are added. */
    errors?: readonly ErrorCode[];
    idempotency?: "required" | "optional" | "none";
    /** Bodies that work, by a few words. */
    requestExamples?: Readonly<Record<string, unknown>>;
    answerExamples?: readonly AnswerExample[];
  }
  interface FastifyRequest {
    /** Set once the key is known to be good. Read it with `callerOf`. */
    caller: KeyRecord | null;
    /** The decision on the endpoint's own limit. */
    limited: LimitDecision | null;
    /** The decision on a further limit of the same request, e.g. recipients of a bulk. */
    limitedFurther: LimitDecision | null;
  }
  interface FastifyInstance {
    edge: Edge;
  }
}

/** What the parts of the HTTP edge share. */
export interface Edge {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly limitFor: LimitFor;
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

/** The version of the API that this gateway speaks. */
export const API_VERSION = "2026-11-27";
export const API_VERSIONS: readonly string[] = [API_VERSION];
