import type {
  CallbackAnswer,
  Contact,
  Outcome,
  ProbeAnswer,
  ProviderDeps,
  ProviderSink,
  ProviderTask,
} from "../ports/provider.ts";
import { type AccessProbe, makeAccessProbe, PROBE_MS } from "./access-probe.ts";
import { type AnswerPart, type HttpOutcome, loggedAnswer } from "./http-call.ts";

/** After a call that certainly did not leave: the vendor's host is away, or our network is. */
const NOT_SENT_RETRY_MS = 1_000;

/** Outcomes of a `send` from which no call left. */
export const NO_REFERENCE: Outcome = { kind: "throttled", retryAfterMs: 0, detail: "no reference was committed" };
export const LEASE_OVER: Outcome = { kind: "throttled", retryAfterMs: 0, detail: "the lease ran out before it left" };
export const notSent = (detail: string): Outcome => ({ kind: "throttled", retryAfterMs: NOT_SENT_RETRY_MS, detail });

/** Outcomes for a product that the vendor does not sell. */
export const NOT_SOLD = {
  kind: "rejected",
  scope: "route",
  code: "no_route",
  detail: "This vendor does not sell it.",
} as const satisfies Outcome;
export const NEVER_ASKED: Outcome = { kind: "unknown", detail: "this vendor was never asked for it" };

/** A call that the vendor may have. */
export type Sent = Exclude<HttpOutcome, { readonly kind: "not_sent" }>;

/** The outcome of a call: a whole answer by one table, the beginning of one by another. */
export function outcomeOfSent<Answered>(
  sent: Sent,
  read: (answer: AnswerPart) => Answered,
  ofWhole: (answered: Answered) => Outcome,
  ofPart: (detail: string, answered: Answered) => Outcome,
): Outcome {
  if (sent.kind === "answered") return ofWhole(read(sent));
  const { detail, part } = sent;
  return part ? ofPart(detail, read(part)) : { kind: "unknown", detail };
}

/**
 * One account at a vendor that is called over HTTP, as far as all of these are alike: it begins and ends, asks whether the vendor lets
 * us in, and waits at its end for the calls under way. An adapter adds what is asked for, and reads the answers.
 */
export abstract class HttpVendor<Settings extends { readonly responseTimeoutMs: number }> {
  readonly name: string;
  readonly answerWithinMs: number;
  protected readonly settings: Settings;
  protected readonly deps: ProviderDeps;
  /** From `start` to `stop`. */
  protected sink: ProviderSink | undefined;
  readonly #access: AccessProbe;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(name: string, settings: Settings, deps: ProviderDeps, answerWithinMs = settings.responseTimeoutMs) {
    this.name = name;
    this.settings = settings;
    this.deps = deps;
    this.answerWithinMs = answerWithinMs;
    this.#access = makeAccessProbe({ provider: name, ask: () => this.probe(), ...deps });
  }

  async start(sink: ProviderSink): Promise<void> {
    this.sink = sink;
    this.#access.start(() => this.accessChanged());
    sink.readinessChanged();
  }

  async stop(): Promise<void> {
    this.sink = undefined;
    this.#access.stop();
    await Promise.allSettled(this.#underWay);
  }

  /** There is no connection to keep: each call shows whether the vendor is there. One that shuts us out is left alone. */
  ready(): boolean {
    return this.sink !== undefined && this.whyNotReady() === undefined;
  }

  whyNotReady(): string | undefined {
    return this.#access.refusal;
  }

  contact(): Contact {
    return this.#access.contact;
  }

  pieceCount(): number {
    return 1;
  }

  /** Asks whether the vendor lets us in, within `probeTimeoutMs`. Moves nothing. Undefined: the answer says nothing of it. */
  protected abstract probe(): Promise<ProbeAnswer | undefined>;

  protected get probeTimeoutMs(): number {
    return Math.min(this.settings.responseTimeoutMs, PROBE_MS);
  }

  /** The probe's answer is another than before. */
  protected accessChanged(): void {
    this.sink?.readinessChanged();
  }

  /** Before `start` and after `stop` a callback can't be stored: the vendor is to send it again. */
  protected async receive(take: (sink: ProviderSink) => Promise<CallbackAnswer>): Promise<CallbackAnswer> {
    return this.sink ? take(this.sink) : { status: 503, contentType: "application/json", body: "{}" };
  }

  /** Makes `stop` wait for a call. */
  protected async tracked<T>(call: Promise<T>): Promise<T> {
    this.#underWay.add(call);
    try {
      return await call;
    } finally {
      this.#underWay.delete(call);
    }
  }

  /** An answer that decides nothing is logged, without its words. `codeIn` finds the vendor's code in its text. */
  protected logUndecided(
    outcome: Outcome,
    { orderId }: Pick<ProviderTask, "orderId">,
    answer: HttpOutcome,
    codeIn: (text: string) => string | undefined,
    call?: string,
  ): void {
    if (outcome.kind !== "unknown") return;
    this.deps.log.warn(
      { provider: this.name, order: orderId, ...(call !== undefined && { call }), ...loggedAnswer(answer, codeIn) },
      "the vendor's answer decides nothing",
    );
  }
}
