import { type Deadline, deadline } from "../../kernel/deadline.ts";
import type { BindLink } from "./bind-link.ts";
import type { RateLimit } from "./rate.ts";
import type { PlainDraft, Session, SubmitDraft } from "./session.ts";
import type { AnsweredLate, SubmitAnswer } from "./submit-answer.ts";

interface Waiting {
  readonly draft: SubmitDraft;
  readonly mayStillSend: () => boolean;
  readonly answeredLate: AnsweredLate | undefined;
  readonly plain: PlainDraft | undefined;
  readonly resolve: (answer: SubmitAnswer) => void;
  readonly limit: Deadline;
}

/**
 * Hands submits to the binds in turn, first come first served, within their windows and the rate. The engine keeps no more in
 * flight than the windows hold, so the queue here is short: it bridges the moment between a slot's release and its next use.
 */
export class BindPool {
  readonly #links: readonly BindLink[];
  readonly #rate: RateLimit | null;
  readonly #waitingMax: number;
  readonly #waitMsMax: number;
  readonly #waiting: Waiting[] = [];
  #next = 0;
  #rateTimer: NodeJS.Timeout | null = null;
  #stopped = false;

  /** `links`: binds that may submit, without receivers. `waitMsMax`: a submit that waits longer is not sent. */
  constructor(links: readonly BindLink[], rate: RateLimit | null, waitingMax: number, waitMsMax: number) {
    this.#links = links;
    this.#rate = rate;
    this.#waitingMax = waitingMax;
    this.#waitMsMax = waitMsMax;
  }

  isBound(): boolean {
    return !this.#stopped && this.#links.some((link) => link.session !== null);
  }

  submit(
    draft: SubmitDraft,
    mayStillSend: () => boolean,
    answeredLate?: AnsweredLate,
    plain?: PlainDraft,
  ): Promise<SubmitAnswer> {
    if (!this.isBound()) return Promise.resolve(NO_BIND);
    const session = this.#waiting.length === 0 ? this.#sessionWithRoom() : null;
    if (session !== null && this.#takeToken()) return session.submit(draft, mayStillSend, answeredLate, plain);
    if (this.#waiting.length >= this.#waitingMax) return Promise.resolve(QUEUE_FULL);
    return new Promise((resolve) => {
      const limit = deadline(this.#waitMsMax, () => this.#giveUp(waiting));
      const waiting: Waiting = { draft, mayStillSend, answeredLate, plain, resolve, limit };
      this.#waiting.push(waiting);
      this.serve();
    });
  }

  /** Called whenever a slot, a bind or a token may have become free, or the last bind was lost. */
  serve(): void {
    if (this.#waiting.length > 0 && !this.isBound()) {
      for (const waiting of this.#waiting.splice(0)) settle(waiting, NO_BIND);
    }
    while (this.#waiting.length > 0) {
      const session = this.#sessionWithRoom();
      if (session === null || !this.#takeToken()) return;
      const waiting = this.#waiting.shift();
      if (waiting === undefined) return;
      waiting.limit.cancel();
      session.submit(waiting.draft, waiting.mayStillSend, waiting.answeredLate, waiting.plain).then(waiting.resolve);
    }
  }

  /** Accepts no more submits and drops waiting ones. Sessions handle those in flight. */
  stop(): void {
    this.#stopped = true;
    if (this.#rateTimer !== null) clearTimeout(this.#rateTimer);
    for (const waiting of this.#waiting.splice(0)) settle(waiting, NO_BIND);
  }

  #sessionWithRoom(): Session | null {
    for (let tried = 0; tried < this.#links.length; tried++) {
      const session = this.#links[this.#next]?.session ?? null;
      this.#next = (this.#next + 1) % this.#links.length;
      if (session?.hasRoom()) return session;
    }
    return null;
  }

  /** False if the rate is exhausted; `serve` is then called again once it is not. */
  #takeToken(): boolean {
    const waitMs = this.#rate?.take() ?? 0;
    if (waitMs === 0) return true;
    this.#rateTimer ??= setTimeout(() => {
      this.#rateTimer = null;
      this.serve();
    }, waitMs);
    return false;
  }

  #giveUp(waiting: Waiting): void {
    const index = this.#waiting.indexOf(waiting);
    if (index === -1) return;
    this.#waiting.splice(index, 1);
    settle(waiting, QUEUE_FULL);
  }
}

const NO_BIND: SubmitAnswer = { kind: "not_sent", detail: "no bind to the SMSC is up", mayRetryAtOnce: false };
const QUEUE_FULL: SubmitAnswer = { kind: "not_sent", detail: "no window slot became free", mayRetryAtOnce: false };

function settle(waiting: Waiting, answer: SubmitAnswer): void {
  waiting.limit.cancel();
  waiting.resolve(answer);
}
