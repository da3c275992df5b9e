import type { Uuid } from "../kernel/ids.ts";
import type { EndedSpan, Tracing } from "../ports/tracing.ts";

/** Tracing in view: what the parts told, in order. */
export class ToldSpans implements Tracing {
  readonly isOn = true;
  readonly spans: EndedSpan[] = [];
  readonly madeBy = new Map<Uuid, Uuid>();
  /** Traces that are not kept. */
  readonly left = new Set<string>();

  keeps(traceId: string): boolean {
    return !this.left.has(traceId);
  }
  record(span: EndedSpan): void {
    this.spans.push(span);
  }
  made(requestId: Uuid, id: Uuid): void {
    this.madeBy.set(requestId, id);
  }
  takeMade(requestId: Uuid): Uuid | undefined {
    return this.madeBy.get(requestId);
  }
}
