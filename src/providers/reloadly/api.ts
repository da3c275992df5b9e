import { within } from "../../kernel/deadline.ts";
import type { ProviderDeps } from "../../ports/provider.ts";
import { type HttpOutcome, httpCall } from "../http-call.ts";
import { type AccessTokens, makeAccessTokens } from "./access-tokens.ts";
import { type Answer, readAnswer, readPart } from "./answer.ts";
import { whyNotRefused } from "./contradictions.ts";
import type { ReloadlySettings } from "./settings.ts";

/** What the vendor wants to be asked for. Source: its documentation, versioning. */
const MEDIA_TYPE = "application/com.reloadly.topups-v1+json";

export interface ApiCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  /** By the monotonic clock: all is over by then. Twice the time limit of one call from now when absent. */
  readonly deadlineMs?: number;
  /** Asked right before bytes leave. */
  readonly mayStillSend?: () => boolean;
}

export type ApiOutcome =
  /** `whole`: as it came, where all of it did. */
  | { readonly kind: "answered"; readonly answer: Answer; readonly whole?: HttpOutcome }
  /** Certain: the vendor did nothing. `refused`: it does not know us. */
  | { readonly kind: "not_sent"; readonly detail: string; readonly refused?: true }
  | { readonly kind: "unknown"; readonly detail: string };

/** Errors of the access token: nothing was done. */
const TOKEN_ERRORS = ["TOKEN_EXPIRED", "INVALID_TOKEN"];

/** The vendor's API with an access token. Never throws. */
export class ReloadlyApi {
  readonly tokens: AccessTokens;
  readonly #settings: ReloadlySettings;
  readonly #deps: ProviderDeps;
  readonly #tracked: <T>(call: Promise<T>) => Promise<T>;

  /** `tracked`: waited for at the end. */
  constructor(settings: ReloadlySettings, deps: ProviderDeps, tracked: <T>(call: Promise<T>) => Promise<T>) {
    this.#settings = settings;
    this.#deps = deps;
    this.#tracked = tracked;
    this.tokens = makeAccessTokens(settings, deps);
  }

  /** A token that the vendor no longer takes is renewed, once, and the call repeated. */
  async call(call: ApiCall): Promise<ApiOutcome> {
    const { responseTimeoutMs } = this.#settings;
    const deadlineMs = call.deadlineMs ?? this.#nowMs() + 2 * responseTimeoutMs;
    // The call itself keeps its whole time.
    const token = await within(this.tokens.get(), deadlineMs - responseTimeoutMs - this.#nowMs());
    if (token === undefined) return this.#noToken();
    const first = await this.#send(call, token, deadlineMs);
    if (first.kind !== "answered" || !isTokenError(first.answer)) return first;
    this.tokens.drop(token);
    const fresh = await within(this.tokens.get(), deadlineMs - this.#nowMs());
    return fresh === undefined ? this.#noToken() : this.#send(call, fresh, deadlineMs);
  }

  #noToken(): ApiOutcome {
    const { detail, refused } = this.tokens.failure ?? { detail: "it took too long", refused: false };
    return { kind: "not_sent", detail: `no access token: ${detail}`, ...(refused && { refused }) };
  }

  async #send(call: ApiCall, token: string, deadlineMs: number): Promise<ApiOutcome> {
    const { baseUrl, responseTimeoutMs } = this.#settings;
    const leftMs = Math.floor(deadlineMs - this.#nowMs());
    if (leftMs <= 0) return { kind: "not_sent", detail: "no time was left for it" };
    if (call.mayStillSend?.() === false) return { kind: "not_sent", detail: "the lease ran out before it left" };
    const sending = httpCall(this.#deps.fetch, {
      method: call.method,
      url: `${baseUrl}${call.path}`,
      headers: { authorization: `Bearer ${token}`, accept: MEDIA_TYPE, "content-type": "application/json" },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      timeoutMs: Math.min(responseTimeoutMs, leftMs),
    });
    const outcome = await this.#tracked(sending);
    if (outcome.kind === "answered")
      return { kind: "answered", answer: readAnswer(outcome.status, outcome.text), whole: outcome };
    if (outcome.kind === "not_sent" || outcome.part === undefined) return outcome;
    const { status, text } = outcome.part;
    return { kind: "answered", answer: readPart(status, text, outcome.detail) };
  }

  #nowMs(): number {
    return this.#deps.clock.monotonicMs();
  }
}

/** The call may be repeated: nothing in the answer speaks of a transaction. */
const isTokenError = (answer: Answer): boolean =>
  answer.status === 401 &&
  answer.errorCode !== undefined &&
  TOKEN_ERRORS.includes(answer.errorCode) &&
  whyNotRefused(answer) === undefined;
