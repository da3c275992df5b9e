import {
  type HrTime,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { SpanPlace } from "../kernel/trace.ts";
import type { EndedSpan, Tracing } from "../ports/tracing.ts";

/** OpenTelemetry's SDK. Loaded only by a gateway that has a collector (ADR 46). */

export interface TracingSettings {
  /** The collector's base URL, as in `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  readonly serviceName: string;
  /** Of all traces, from 0 to 1. */
  readonly ratio: number;
}

export interface TracingOptions extends TracingSettings {
  readonly node: Uuid;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Default: to the collector. */
  readonly exporter?: SpanExporter;
}

/** Spans that wait for the collector, at most: about 12 MB. Beyond it they are lost, and the work goes on. */
export const WAITING_MAX = 8_192;
/** Written as JSON in a millisecond. */
export const BATCH_MAX = 512;
const EXPORT_EVERY_MS = 1_000;
/** How long a stop waits for the collector. */
const FLUSH_MS = 1_000;
/** How often a loss is said, at most. */
const TELL_EVERY_MS = 60_000;
/** A wall clock that was set by less stays unnoticed, so that spans keep their order. */
const STEP_MS = 100;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
/** Requests under way that made something, at most. */
const MADE_MAX = 10_000;

export class SdkTracing implements Tracing {
  readonly isOn = true;
  readonly #clock: Clock;
  readonly #ids = new GivenIds();
  readonly #sampler: TraceIdRatioBasedSampler;
  readonly #sending: Sending;
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #made = new Map<Uuid, Uuid>();
  /** Wall clock less monotonic clock. */
  #offsetMs: number;

  constructor({ endpoint, serviceName, ratio, node, version, clock, log, exporter }: TracingOptions) {
    this.#clock = clock;
    this.#offsetMs = clock.now().getTime() - clock.monotonicMs();
    this.#sampler = new TraceIdRatioBasedSampler(ratio);
    const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
    this.#sending = new Sending(exporter ?? new OTLPTraceExporter({ url }), log, clock);
    const limits = { maxQueueSize: WAITING_MAX, maxExportBatchSize: BATCH_MAX, scheduledDelayMillis: EXPORT_EVERY_MS };
    this.#provider = new TracerProvider({
      idGenerator: this.#ids,
      // What is not kept is never recorded.
      sampler: new AlwaysOnSampler(),
      spanProcessors: [new BatchSpanProcessor({ exporter: this.#sending, ...limits })],
      resource: defaultResource().merge(
        resourceFromAttributes({
          "service.name": serviceName,
          "service.version": version,
          "service.instance.id": node,
        }),
      ),
    });
    this.#tracer = this.#provider.getTracer("afara");
  }

  keeps(traceId: string): boolean {
    return this.#sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
  }

  record(ended: EndedSpan): void {
    if (!this.#sending.hasRoom()) return;
    const { traceId, parentId, kind, name, links = [], sinceMs, untilMs, error } = ended;
    this.#ids.next = ended;
    this.#noticeStep();
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
        startTime: this.#timeOf(sinceMs),
        attributes: attributesOf(ended),
        links: links.map((link) => ({ context: { ...link, traceFlags: TraceFlags.NONE, isRemote: true } })),
      },
      parentId === undefined ? ROOT_CONTEXT : within({ traceId, spanId: parentId }),
    );
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(this.#timeOf(untilMs ?? this.#clock.monotonicMs()));
  }

  made(requestId: Uuid, id: Uuid): void {
    if (this.#made.size >= MADE_MAX) this.#made.clear();
    this.#made.set(requestId, id);
  }

  takeMade(requestId: Uuid): Uuid | undefined {
    const id = this.#made.get(requestId);
    if (id !== undefined) this.#made.delete(requestId);
    return id;
  }

  /** Sends what waits. A collector that does not answer holds nothing up: what it has not taken by then is lost. */
  async stop(): Promise<void> {
    const flushed = this.#provider.shutdown().catch(() => undefined);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, FLUSH_MS);
    await Promise.race([flushed, late]);
    clearTimeout(timer);
  }

  #noticeStep(): void {
    const offsetMs = this.#clock.now().getTime() - this.#clock.monotonicMs();
    if (Math.abs(offsetMs - this.#offsetMs) > STEP_MS) this.#offsetMs = offsetMs;
  }

  #timeOf(monotonicMs: number): HrTime {
    const ms = monotonicMs + this.#offsetMs;
    return [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1_000_000)];
  }
}

function attributesOf({ attributes, error }: EndedSpan): Record<string, string | number> {
  const known: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) known[name] = value;
  if (error !== undefined) known["error.type"] = error;
  return known;
}

/** The parent may be another node's. */
const within = (parent: SpanPlace) =>
  trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: true });

/** Ids are given with each span. */
class GivenIds implements IdGenerator {
  next: SpanPlace = { traceId: "", spanId: "" };

  generateTraceId(): string {
    return this.next.traceId;
  }

  generateSpanId(): string {
    return this.next.spanId;
  }
}

/** Counts what waits for the collector, and says what was lost. */
class Sending implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: Log;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #waiting = 0;
  #lost = 0;
  #quietUntilMs = Number.NEGATIVE_INFINITY;

  constructor(exporter: SpanExporter, log: Log, clock: Pick<Clock, "monotonicMs">) {
    this.#exporter = exporter;
    this.#log = log;
    this.#clock = clock;
  }

  /** For one more span, which is then counted. */
  hasRoom(): boolean {
    const isRoom = this.#waiting < WAITING_MAX;
    if (isRoom) this.#waiting += 1;
    else this.#lost += 1;
    return isRoom;
  }

  export(...[spans, done]: Parameters<SpanExporter["export"]>): void {
    this.#exporter.export(spans, (result) => {
      this.#waiting -= spans.length;
      const error: NodeJS.ErrnoException | undefined = result.error;
      if (result.code !== 0) this.#lost += spans.length;
      this.#tellLoss(error?.code ?? error?.message);
      done(result);
    });
  }

  #tellLoss(error: string | undefined): void {
    const nowMs = this.#clock.monotonicMs();
    if (this.#lost === 0 || nowMs < this.#quietUntilMs) return;
    this.#log.warn({ lost: this.#lost, error }, "the collector did not take all spans");
    this.#lost = 0;
    this.#quietUntilMs = nowMs + TELL_EVERY_MS;
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}
