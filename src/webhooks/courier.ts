import { randomInt } from "node:crypto";
import { type Actor, audit } from "../accounts/audit.repo.ts";
import type { Database } from "../db/database.ts";
import { type CommitLane, makeCommitLane } from "../db/group-commit.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import { changedEndpoints, claimEndpoints, takeBackWebhooks } from "./claims.repo.ts";
import type { Claimed, Message } from "./delivery.ts";
import { disableEndpoint } from "./disabled-event.repo.ts";
import type { DueMessage } from "./due-messages.ts";
import type { DisabledReason } from "./endpoint.ts";
import type { Outcome } from "./outcome.ts";
import type { Poster } from "./post.ts";
import type { WebhookSeal } from "./sealed.ts";
import { type SeatLimits, Seats } from "./seats.ts";
import { type FeedPage, Session, type SessionParts } from "./session.ts";
import { settle } from "./settle.repo.ts";
import type { Settled, Settlement } from "./settlement.ts";
import { deliveryHeaders } from "./signing.ts";
import { Slots } from "./slots.ts";
import type { Attempted } from "./webhook-spans.ts";

export interface CourierOptions {
  readonly db: Database;
  readonly node: Uuid;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: WebhookSeal;
  readonly posterFor: (mode: Mode) => Poster;
  readonly readFeed: (endpoint: Claimed, after: bigint, limit: number) => Promise<FeedPage>;
  readonly readDue: (endpoint: Claimed, now: Date, limit: number) => Promise<readonly DueMessage[]>;
  readonly attempted: Attempted;
  readonly seats?: Partial<SeatLimits> | undefined;
}

/** How often endpoints with something to do are looked for while nothing wakes the loop. */
const POLL_MS = 500;
const TICK_MS = 1_000;
/** Rest after a claim, in its own lengths: with many endpoints the look for work must not become all of it. */
const REST = { factor: 4, maxMs: POLL_MS };
const SETTLED_AT_ONCE = 100;
/** Attempts that are under way at a stop get this long. */
const STOP_MS = 3_000;

const UNSIGNED =
  "a webhook's keys can't be opened, so nothing is sent to it; rotate its secret without overlap, or give the server the secret it had";

const CHANCES = 1_000_000;
const SYSTEM: Actor = { kind: "system" };

/** Delivers events to webhook endpoints: claims endpoints with something to do, and runs a session for each. */
export class Courier {
  readonly #options: CourierOptions;
  readonly #sessions = new Map<Uuid, Session>();
  readonly #running = new Set<Promise<void>>();
  /** Endpoints whose latest answer took long. */
  readonly #slow = new Set<Uuid>();
  readonly #slots = new Slots<Session>();
  readonly #seats: Seats<Session>;
  readonly #lane: CommitLane<Settlement, Settled | undefined>;
  readonly #parts: SessionParts;
  #timers: NodeJS.Timeout[] = [];
  #isRunning = false;
  #isClaiming = false;
  #isToClaimAgain = false;
  #isLookingForChanges = false;
  #quietUntilMs = 0;
  #claimTimer: NodeJS.Timeout | undefined;

  constructor(options: CourierOptions) {
    this.#options = options;
    const { db, node, seal, clock } = options;
    this.#seats = new Seats(clock, options.seats);
    this.#lane = makeCommitLane({
      batchMax: SETTLED_AT_ONCE,
      keysOf: ({ endpoint }) => [endpoint.id],
      run: (settlements) => settle(db, settlements, { node, seal, now: clock.now() }),
    });
    this.#parts = this.#sessionParts();
  }

  /** `dead`: nodes that are certainly gone; their endpoints are free before their leases run out. */
  async start(dead: readonly Uuid[]): Promise<void> {
    if (dead.length > 0) await takeBackWebhooks(this.#options.db, dead);
    this.#isRunning = true;
    this.#timers = [setInterval(() => this.#claimSoon(), POLL_MS), setInterval(() => this.#tick(), TICK_MS)];
    this.#claimSoon();
  }

  /** There may be something new in a feed. */
  hear(): void {
    for (const session of this.#sessions.values()) session.hear();
    this.#claimSoon();
  }

  /** Starts nothing more; what is under way gets a few seconds, and is delivered again if it needs longer. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#claimTimer);
    for (const session of this.#sessions.values()) session.stop();
    const late = setTimeout(() => this.#closePosters(), STOP_MS);
    await Promise.all(this.#running);
    clearTimeout(late);
    await this.#closePosters();
  }

  async #closePosters(): Promise<void> {
    const { posterFor } = this.#options;
    await Promise.all([posterFor("live").close(), posterFor("test").close()]);
  }

  #tick(): void {
    for (const session of this.#sessions.values()) session.tick();
    this.#seats.endTurns();
    void this.#stopChanged();
  }

  /** Nothing more goes to an old address, or is signed by a secret that was ended. */
  async #stopChanged(): Promise<void> {
    const { db, log } = this.#options;
    const sessions = [...this.#sessions.values()];
    if (this.#isLookingForChanges) return;
    this.#isLookingForChanges = true;
    try {
      const changed = await changedEndpoints(
        db,
        sessions.map(({ endpoint }) => endpoint),
      );
      for (const session of sessions) if (changed.has(session.endpoint.id)) session.stop();
    } catch (error) {
      log.warn(
        { error: (error as Error).message },
        "changes of webhook endpoints were not read; it will be tried again",
      );
    }
    this.#isLookingForChanges = false;
  }

  #claimSoon(): void {
    if (this.#isClaiming || this.#claimTimer) {
      this.#isToClaimAgain = true;
      return;
    }
    const restMs = this.#quietUntilMs - this.#options.clock.monotonicMs();
    if (restMs <= 0) return void this.#claim();
    this.#claimTimer = setTimeout(() => {
      this.#claimTimer = undefined;
      this.#claimSoon();
    }, restMs);
  }

  async #claim(): Promise<void> {
    if (!this.#isRunning) return;
    const { clock, log } = this.#options;
    const startedMs = clock.monotonicMs();
    this.#isClaiming = true;
    this.#isToClaimAgain = false;
    try {
      await this.#claimSome(false, this.#seats.free.sound);
      await this.#claimSome(true, this.#seats.free.suspects);
    } catch (error) {
      log.warn({ error: (error as Error).message }, "webhook endpoints were not claimed; it will be tried again");
    }
    const endedMs = clock.monotonicMs();
    this.#quietUntilMs = endedMs + Math.min((endedMs - startedMs) * REST.factor, REST.maxMs);
    this.#isClaiming = false;
    if (this.#isToClaimAgain) this.#claimSoon();
  }

  async #claimSome(failing: boolean, limit: number): Promise<void> {
    if (limit <= 0) return;
    const { db, seal, node, clock, log } = this.#options;
    const claimedMs = clock.monotonicMs();
    const claimed = await claimEndpoints(db, seal, { node, now: clock.now(), failing, limit });
    for (const endpoint of claimed) {
      if (endpoint.keys.length === 0) {
        // Its lease ends by itself, and then it is looked at again.
        log.error({ endpoint: encodeId("whe", endpoint.id) }, UNSIGNED);
        continue;
      }
      const isSlow = this.#slow.has(endpoint.id);
      this.#run(new Session(endpoint, this.#parts, { claimedMs, isSlow }));
    }
  }

  #run(session: Session): void {
    const { id } = session.endpoint;
    // One that lost its lease to this one, and does not know yet.
    this.#sessions.get(id)?.stop();
    this.#sessions.set(id, session);
    this.#seats.take(session);
    const running = session
      .run()
      .catch((error: unknown) => this.#parts.failed(session.endpoint, error))
      .then(() => {
        this.#running.delete(running);
        if (this.#sessions.get(id) === session) this.#sessions.delete(id);
        this.#slots.forget(session);
        this.#seats.leave(session);
        if (session.isSlow) this.#slow.add(id);
        else this.#slow.delete(id);
        this.#claimSoon();
      });
    this.#running.add(running);
    if (!this.#isRunning) session.stop();
  }

  #sessionParts(): SessionParts {
    const { clock, log, readFeed, readDue } = this.#options;
    return {
      clock,
      chance: () => randomInt(CHANCES) / CHANCES,
      readFeed,
      readDue,
      post: (endpoint, message, at) => this.#post(endpoint, message, at),
      settle: (settlement) => this.#lane.submit(settlement),
      disable: (endpoint, reason, at) => this.#disable(endpoint, reason, at),
      takeSlot: (session) => this.#slots.take(session),
      giveSlot: (session) => this.#slots.give(session),
      failed: ({ id }, error) =>
        log.warn(
          { endpoint: encodeId("whe", id), error: (error as Error).message },
          "a webhook's deliveries were not recorded; it will be tried again",
        ),
    };
  }

  async #post(endpoint: Claimed, message: Message, at: Date): Promise<Outcome> {
    const { url, keys, mode } = endpoint;
    const { eventId, body } = message;
    const signing = keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > at);
    const headers = deliveryHeaders(signing, encodeId("evt", eventId), at, body);
    const outcome = await this.#options.posterFor(mode).post({ url, body, headers });
    this.#options.attempted(endpoint, message, outcome);
    return outcome;
  }

  async #disable(endpoint: Claimed, reason: DisabledReason, at: Date): Promise<void> {
    const { db, log } = this.#options;
    const { id, accountId, mode } = endpoint;
    const [subject, account] = [encodeId("whe", id), encodeId("acc", accountId)];
    const isDisabled = await db.transaction(async (tx) => {
      if (!(await disableEndpoint(tx, endpoint, reason, at))) return false;
      await audit(tx, { actor: SYSTEM, action: "webhook.disable", subject, details: { account, mode, reason } });
      return true;
    });
    if (isDisabled) log.warn({ endpoint: subject, account, mode, reason }, "a webhook endpoint was disabled");
  }
}
