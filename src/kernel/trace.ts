import { newUuid, type Uuid } from "./ids.ts";

/**
 * Names of traces and spans (W3C Trace Context). The id of an order, of a bulk or of a request is also the id of its trace, so every
 * node knows where a span belongs, also after a restart, and nothing more is stored.
 */

/** Where a span stands, or one that is pointed at. */
export interface SpanPlace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

export const traceIdOf = (id: Uuid): string => id.replaceAll("-", "");

/** The second half: its first two bits are the UUID's variant, so it is never all zero. */
export const spanIdOf = (id: Uuid): string => id.slice(19, 23) + id.slice(24);

export const newSpanId = (): string => spanIdOf(newUuid());

/** The span of a trace that everybody can name: how an order, or a bulk, came to be. */
export const firstSpanOf = (id: Uuid): SpanPlace => ({ traceId: traceIdOf(id), spanId: spanIdOf(id) });

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const ALL_ZERO = /^0+$/;

/** A caller's span. Undefined: the header is none, or malformed, and then counts as none. */
export function readTraceparent(header: unknown): SpanPlace | undefined {
  const [, version, traceId = "", spanId = "", more] = (typeof header === "string" && TRACEPARENT.exec(header)) || [];
  // Later versions may say more than the first, which says all of this.
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  return ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId) ? undefined : { traceId, spanId };
}
