import type { Uuid } from "../kernel/ids.ts";
import type { SpanPlace } from "../kernel/trace.ts";

/**
 * What a part tells about one piece of work, once that has ended. Names and attributes come from closed lists (services, providers,
 * outcomes, routes of the API) or are ids: never numbers of phones or meters, texts, tokens, keys or queries.
 */
export interface Tracing {
  /** Without it nothing is to be prepared for a span. */
  readonly isOn: boolean;
  /** Whether spans of this trace are kept. Every node answers alike. */
  keeps(traceId: string): boolean;
  /** Returns at once. Only for a trace that is kept. */
  record(span: EndedSpan): void;
  /** A request made an order or a bulk: its own span belongs to the trace of that. */
  made(requestId: Uuid, id: Uuid): void;
  /** What the request made. Asked once, as its answer is decided. */
  takeMade(requestId: Uuid): Uuid | undefined;
}

export interface EndedSpan extends SpanPlace {
  /** Default: work within this node. */
  readonly kind?: "server" | "client";
  readonly name: string;
  /** Of the same trace; undefined: the first span of its trace. */
  readonly parentId?: string | undefined;
  /** Spans of other traces that it has to do with. */
  readonly links?: readonly SpanPlace[];
  /** By the monotonic clock, like its end. */
  readonly sinceMs: number;
  /** Default: now. */
  readonly untilMs?: number;
  /** Undefined ones are left out. */
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  /** Why the work failed, if it did. */
  readonly error?: string | undefined;
}

/** For gateways without a collector, tests and commands. */
export const NO_TRACING: Tracing = {
  isOn: false,
  keeps: () => false,
  record: () => undefined,
  made: () => undefined,
  takeMade: () => undefined,
};
