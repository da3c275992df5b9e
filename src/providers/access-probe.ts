import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { statusAndCode } from "../kernel/logged-code.ts";
import type { Contact, ProbeAnswer } from "../ports/contact.ts";
import type { HttpOutcome } from "./http-call.ts";

/**
 * Whether a vendor is reached and takes our keys: asked at the start and again and again, so that a wrong host or key is reported to the
 * operator before a customer meets it. What is asked moves nothing, costs nothing and vends nothing.
 */
export interface AccessProbe {
  readonly contact: Contact;
  /** Why the vendor does not let us in, in words for the operator; undefined while nothing says so. */
  readonly refusal: string | undefined;
  /** `changed`: called when the state has changed. */
  start(changed: () => void): void;
  stop(): void;
}

/** Undefined: the answer does not show whether we have access (we ask too often). */
export type AskAccess = () => Promise<ProbeAnswer | undefined>;

/** Time limit of a probe: a wrong host is known within ten seconds of the start. */
export const PROBE_MS = 8_000;
/** Between two probes. Wrong keys that are tried too often get an account locked; an unreachable host is soon back. */
const PACE_MS = { everyMs: 60_000, awayFirstMs: 1_000 };

export interface AccessProbeOptions {
  readonly provider: string;
  readonly ask: AskAccess;
  readonly clock: Clock;
  readonly log: Log;
  readonly pace?: { readonly everyMs: number; readonly awayFirstMs: number };
}

export function makeAccessProbe({ provider, ask, clock, log, pace = PACE_MS }: AccessProbeOptions): AccessProbe {
  const record = new ContactRecord(provider, clock, log);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;

  const probe = async (changed: () => void): Promise<void> => {
    const answer = await ask();
    if (stopped) return;
    failures = answer?.kind === "not_reached" ? failures + 1 : 0;
    const afterMs = failures === 0 ? pace.everyMs : Math.min(pace.everyMs, pace.awayFirstMs * 2 ** (failures - 1));
    timer = setTimeout(() => void probe(changed), afterMs).unref();
    if (answer !== undefined && record.update(answer)) changed();
  };

  return {
    get contact() {
      return record.contact;
    },
    get refusal() {
      const { state, detail } = record.contact;
      return state === "refused" ? (detail ?? undefined) : undefined;
    },
    start: (changed) => void probe(changed),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** The contact with one vendor. A change of its state is one line of the log, however often it is probed. */
export class ContactRecord {
  readonly #provider: string;
  readonly #clock: Clock;
  readonly #log: Log | undefined;
  #contact: Contact;

  /** Without a log where the connection logs its own changes. */
  constructor(provider: string, clock: Clock, log?: Log) {
    this.#provider = provider;
    this.#clock = clock;
    this.#log = log;
    this.#contact = { state: "asking", detail: null, since: clock.now(), reachedAt: null };
  }

  get contact(): Contact {
    return this.#contact;
  }

  /** Returns whether the state or its detail has changed. */
  update(answer: ProbeAnswer): boolean {
    const before = this.#contact;
    const now = this.#clock.now();
    const detail = answer.kind === "reached" ? null : answer.detail;
    const isSame = before.state === answer.kind;
    this.#contact = {
      state: answer.kind,
      detail,
      since: isSame ? before.since : now,
      reachedAt: answer.kind === "reached" ? now : before.reachedAt,
    };
    const isChanged = !isSame || (answer.kind === "refused" && detail !== before.detail);
    if (isChanged) this.#write(answer);
    return isChanged || detail !== before.detail;
  }

  #write(answer: ProbeAnswer): void {
    const provider = this.#provider;
    if (answer.kind === "reached") this.#log?.info({ provider }, "the vendor is reached and takes our keys");
    else if (answer.kind === "refused")
      this.#log?.error({ provider, detail: answer.detail }, "the vendor does not let us in");
    else this.#log?.warn({ provider, detail: answer.detail }, "the vendor is not reached; asking again until it is");
  }
}

/**
 * What an outcome shows of the connection to any vendor: none, no answer, or an answer that can't be the vendor's own. Undefined: a
 * whole answer, which the adapter reads.
 */
export function strayAnswer(outcome: HttpOutcome): ProbeAnswer | undefined {
  if (outcome.kind !== "answered") return { kind: "not_reached", detail: connectionFault(outcome.detail) };
  const { status, headers } = outcome;
  if (status >= 300 && status < 400)
    return {
      kind: "not_reached",
      detail: `HTTP ${status}: it redirects ${whereTo(headers)}, and secrets are never sent on; is the base URL right?`,
    };
  if (status === 407)
    return { kind: "not_reached", detail: "HTTP 407: a proxy between asks for a password of its own" };
  if (isPage(outcome))
    return status === 401 || status === 403
      ? {
          kind: "refused",
          detail: `HTTP ${status} with an HTML page and not the vendor's own words: are the keys right, and may this machine's IP address call it?`,
        }
      : {
          kind: "not_reached",
          detail: `HTTP ${status} with an HTML page and not the vendor's own words: is the base URL right, and no proxy between?`,
        };
  if (status >= 500) return { kind: "not_reached", detail: `HTTP ${status}: it answers, and can't serve us now` };
  return undefined;
}

/** A whole answer that the vendor is not known to give. `code`: the vendor's, where there is one. */
export const otherAnswer = (status: number, code?: string): ProbeAnswer => ({
  kind: "not_reached",
  detail: `${statusAndCode(status, code)}: not what this vendor answers; is the base URL right?`,
});

const isPage = ({ headers, text }: { readonly headers: Headers; readonly text: string }): boolean =>
  /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text) || /^text\/html\b/i.test(headers.get("content-type") ?? "");

/** The host alone: a path or query may carry secrets. */
function whereTo(headers: Headers): string {
  const location = headers.get("location") ?? "";
  return URL.canParse(location) ? `to ${new URL(location).host}` : "elsewhere";
}

/** Codes of failed connections, of Node and OpenSSL, in words for people. */
const WAYS: readonly (readonly [code: RegExp, words: string])[] = [
  [/^ENOTFOUND$/, "its host name is not known to DNS"],
  [/^EAI_/, "DNS does not answer"],
  [/^ECONNREFUSED$/, "nothing listens at its address"],
  [/^(?:EHOSTUNREACH|ENETUNREACH)$/, "there is no way to its address"],
  [/^(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, "its address does not answer"],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "the connection was cut"],
  [/^CERT_HAS_EXPIRED$/, "its certificate has expired"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "its certificate is another host's"],
  [
    /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT)/,
    "its certificate is not trusted; does a proxy open TLS?",
  ],
  [/^(?:EPROTO|ERR_SSL_|ERR_TLS_)/, "TLS fails; is it http, or another port?"],
];

/** Why there was no connection or no answer. The code stays, so that it can be looked up. */
export function connectionFault(detail: string): string {
  const words = WAYS.find(([code]) => code.test(detail))?.[1];
  return words === undefined ? detail : `${words} (${detail})`;
}
