import type { Clock } from "../kernel/clock.ts";
import { SECOND_MS } from "../kernel/duration.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { Chains } from "./chains.ts";
import {
  type Again,
  afterFailure,
  type Claimed,
  type FeedMessage,
  type Message,
  parallelAfter,
  parallelAtFirst,
  type Tries,
  UNTRIED,
} from "./delivery.ts";
import { type DueMessage, wholeSubjects } from "./due-messages.ts";
import { type DisabledReason, WAITING_MAX } from "./endpoint.ts";
import { FeedProgress } from "./feed-progress.ts";
import { type Judgement, judge } from "./health.ts";
import { isDelivered, type Outcome } from "./outcome.ts";
import { type Changes, noChanges, type Settled, type Settlement } from "./settlement.ts";
import { untilAnswered } from "./until-answered.ts";

/** What a session needs of its node. */
export interface SessionParts {
  readonly clock: Clock;
  /** 0 to 1: spreads the schedule. */
  readonly chance: () => number;
  /** The next messages of the endpoint's feed after a position. */
  readonly readFeed: (endpoint: Claimed, after: bigint, limit: number) => Promise<FeedPage>;
  /** Messages with rows of their own that are due, none behind one that holds it up; the earliest in the feed first. */
  readonly readDue: (endpoint: Claimed, now: Date, limit: number) => Promise<readonly DueMessage[]>;
  /** Never throws. */
  readonly post: (endpoint: Claimed, message: Message, at: Date) => Promise<Outcome>;
  /** Undefined: the lease was lost. */
  readonly settle: (settlement: Settlement) => Promise<Settled | undefined>;
  readonly disable: (endpoint: Claimed, reason: DisabledReason, at: Date) => Promise<void>;
  /** A place among the attempts of this node; false: none is free, and `news` is called when one is. */
  readonly takeSlot: (session: Session) => boolean;
  readonly giveSlot: (session: Session) => void;
  /** The database failed. */
  readonly failed: (endpoint: Claimed, error: unknown) => void;
}

export interface SessionStart {
  readonly claimedMs: number;
  /** What the session before knew of it. */
  readonly isSlow?: boolean;
}

export interface FeedPage {
  readonly messages: readonly FeedMessage[];
  /** Where to go on. */
  readonly reached: bigint;
  readonly hasMore: boolean;
}

/** A message in memory. */
interface Item {
  readonly message: Message;
  /** In the feed; null: a ping. */
  readonly position: bigint | null;
  readonly tries: Tries;
  /** It has a row of its own; otherwise it comes in the course of the feed. */
  readonly hasRow: boolean;
}

const PAGE = 100;
/** Messages in memory, and outcomes that wait for their commit. */
const IN_MEMORY_MAX = 200;
/** A lease is 30 s and an attempt 15 s long. */
export const LEASE_SECONDS = 30;
const START_WITHIN_MS = 14_000;
const RENEW_MS = 5_000;
/** Whoever has many endpoints with such answers would take all slots of a node. */
const SLOW_MS = 3_000;

/**
 * The deliveries to one endpoint, for as long as this node has its lease and there is something to do. Messages of one subject go
 * one after the other, others together.
 */
export class Session {
  readonly endpoint: Claimed;
  readonly #parts: SessionParts;
  readonly #progress: FeedProgress;
  readonly #chains = new Chains<Item>();
  /** By subject: rows that wait for another attempt. Later messages of the subject get rows, too. */
  readonly #waiting: Map<Uuid, number>;
  #waitingInAll: number;
  /** Events with rows that are in memory, or whose change is not read back yet: their rows say what was true before. */
  readonly #rows = new Set<Uuid>();
  /** Of those, the ones that left memory since the last settlement; and those whose settlement is committed. */
  #leaving: Uuid[] = [];
  #left: Uuid[] = [];
  #health: Claimed["health"];
  /** Attempts that may be under way at once. */
  #parallel: number;
  #isSlow: boolean;
  #inFlight = 0;
  #changes: Changes = noChanges();
  #settling: Promise<void> | undefined;
  #renewedMs: number;
  #isFeedRead = false;
  #areRowsRead = false;
  #isStopped = false;
  #isLost = false;
  #disabled: DisabledReason | undefined;
  #news = Promise.withResolvers<void>();

  constructor(endpoint: Claimed, parts: SessionParts, { claimedMs, isSlow = false }: SessionStart) {
    this.endpoint = endpoint;
    this.#parts = parts;
    this.#progress = new FeedProgress(endpoint.position, endpoint.done);
    this.#waiting = new Map(endpoint.waiting);
    this.#waitingInAll = [...endpoint.waiting.values()].reduce((sum, count) => sum + count, 0);
    this.#health = endpoint.health;
    this.#parallel = parallelAtFirst(endpoint.health);
    this.#renewedMs = claimedMs;
    this.#isSlow = isSlow;
  }

  /** Its latest attempts failed. */
  get isSuspect(): boolean {
    return this.#health.failures > 0;
  }

  /** Its latest answer took long, whatever it was. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** It fails or is slow: such endpoints share a part of the node's slots. */
  get mayTakeLong(): boolean {
    return this.isSuspect || this.#isSlow;
  }

  /** Something may go on: a slot is free, or time has passed. */
  news(): void {
    this.#news.resolve();
  }

  /** There may be something new in the feed. */
  hear(): void {
    this.#isFeedRead = false;
    this.news();
  }

  /** Called every second: messages may have become due, or the lease be old. */
  tick(): void {
    this.#areRowsRead = false;
    this.news();
  }

  /** Starts nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.news();
  }

  /** Resolves when the lease was given back or lost. */
  async run(): Promise<void> {
    while (!this.#isFinished()) {
      await this.#read();
      this.#start();
      this.#settleSoon();
      if (!this.#isFinished()) await this.#nextNews();
    }
    while (this.#inFlight > 0 && !this.#isLost) {
      this.#settleSoon();
      await this.#nextNews();
    }
    await this.#settling;
    if (this.#disabled && !this.#isLost)
      await this.#parts
        .disable(this.endpoint, this.#disabled, this.#parts.clock.now())
        .catch((error: unknown) => this.#parts.failed(this.endpoint, error));
    await this.#settle({ isReleased: true });
  }

  async #nextNews(): Promise<void> {
    await this.#news.promise;
    this.#news = Promise.withResolvers();
  }

  #isFinished(): boolean {
    if (this.#isStopped || this.#isLost || this.#disabled || this.#isResting()) return true;
    const isIdle = this.#inFlight === 0 && !this.#chains.hasReady;
    return isIdle && this.#areRowsRead && !this.#readsFeed() && !this.#hasChanges() && !this.#settling;
  }

  #isResting(): boolean {
    const { restUntil } = this.#health;
    return restUntil !== null && restUntil > this.#parts.clock.now();
  }

  /** While too much waits for another attempt, newer events wait in the feed. */
  #readsFeed(): boolean {
    return this.endpoint.status === "active" && !this.#isFeedRead && this.#waitingInAll < WAITING_MAX;
  }

  async #read(): Promise<void> {
    try {
      if (!this.#areRowsRead) await this.#readRows();
      while (this.#readsFeed() && this.#progress.open < IN_MEMORY_MAX - PAGE) await this.#readFeed();
    } catch (error) {
      this.#parts.failed(this.endpoint, error);
      this.#isStopped = true;
    }
  }

  async #readRows(): Promise<void> {
    this.#areRowsRead = true;
    // Before the query: only what it reads is the state after their commit.
    for (const id of this.#left.splice(0)) this.#rows.delete(id);
    const room = IN_MEMORY_MAX - this.#rows.size;
    if (room <= 0) return;
    const due = await this.#parts.readDue(this.endpoint, this.#parts.clock.now(), room + this.#rows.size);
    for (const { message, position, ...tries } of wholeSubjects(due, this.#rows, IN_MEMORY_MAX)) {
      this.#rows.add(message.eventId);
      this.#chains.add({ message, position, tries, hasRow: true });
    }
  }

  async #readFeed(): Promise<void> {
    // Before the query: what is heard of meanwhile is read next.
    this.#isFeedRead = true;
    const { messages, reached, hasMore } = await this.#parts.readFeed(this.endpoint, this.#progress.reached, PAGE);
    if (hasMore) this.#isFeedRead = false;
    const now = this.#parts.clock.now();
    for (const message of messages) {
      if (!this.#progress.begin(message.position)) continue;
      const item: Item = { message, position: message.position, tries: UNTRIED, hasRow: false };
      if (!this.#waiting.has(message.subjectId)) this.#chains.add(item);
      else {
        this.#keep(item, { ...UNTRIED, dueAt: now });
        this.#changes.heldUp.add(message.subjectId);
      }
    }
    this.#changes.hasMoved ||= reached !== this.#progress.reached;
    this.#progress.reach(reached);
  }

  #start(): void {
    while (this.#mayStart() && this.#parts.takeSlot(this)) {
      this.#inFlight += 1;
      void this.#attempt(this.#chains.take());
    }
  }

  #mayStart(): boolean {
    return (
      this.#chains.hasReady &&
      this.#inFlight < this.#parallel &&
      !this.#isFinished() &&
      this.#changes.attempts.length < IN_MEMORY_MAX &&
      this.#parts.clock.monotonicMs() - this.#renewedMs < START_WITHIN_MS
    );
  }

  async #attempt(item: Item): Promise<void> {
    const startedAt = this.#parts.clock.now();
    const outcome = await this.#parts.post(this.endpoint, item.message, startedAt);
    this.#inFlight -= 1;
    this.#parts.giveSlot(this);
    this.#end(item, outcome, startedAt);
    this.news();
  }

  #end(item: Item, outcome: Outcome, startedAt: Date): void {
    const at = this.#parts.clock.now();
    const { mode } = this.endpoint;
    this.#isSlow = outcome.durationMs >= SLOW_MS;
    const isFollowed = this.#chains.isFollowed(item) || this.#isFollowedByRow(item);
    const chance = this.#parts.chance();
    const again = isDelivered(outcome)
      ? undefined
      : afterFailure({ mode, tries: item.tries, outcome, at, holdsUp: isFollowed, chance });
    this.#judge({ mode, outcome, at, isPassedOver: again !== undefined && !again.holds && isFollowed });
    this.#record(item, outcome, startedAt, (!this.#disabled && again?.dueAt) || null);
    if (again) this.#failed(item, again, at);
    else this.#delivered(item);
  }

  #judge(judgement: Judgement): void {
    const { health, hasRecovered, disabled } = judge(this.#health, judgement);
    this.#health = health;
    this.#parallel = parallelAfter(this.#parallel, judgement.outcome, health);
    this.#changes.hasRecovered ||= hasRecovered;
    this.#disabled ??= disabled;
  }

  #isFollowedByRow({ message, hasRow }: Item): boolean {
    return (this.#waiting.get(message.subjectId) ?? 0) > (hasRow ? 1 : 0);
  }

  #record({ message, tries }: Item, outcome: Outcome, at: Date, nextAt: Date | null): void {
    const { eventId, type } = message;
    const { id: endpointId } = this.endpoint;
    this.#changes.attempts.push({
      id: newUuid(),
      endpointId,
      eventId,
      type,
      attempt: tries.attempts + 1,
      outcome,
      at,
      nextAt,
    });
  }

  #delivered(item: Item): void {
    if (item.position === null) this.#changes.isVerified = true;
    if (item.hasRow) {
      this.#takeOut(item);
      this.#changes.removed.push(item.message.eventId);
    } else this.#progress.finish(item.position!);
    this.#chains.pass(item);
  }

  /** It waits in a row of its own, and so does what is behind it if it holds that up. */
  #failed(item: Item, again: Again, at: Date): void {
    if (item.hasRow) this.#takeOut(item);
    this.#keep(item, again, at);
    if (!again.holds) this.#chains.pass(item);
    else this.#keepBehind(item, at);
  }

  #keepBehind(item: Item, at: Date): void {
    for (const behind of this.#chains.cut(item)) {
      if (behind.hasRow) this.#leaving.push(behind.message.eventId);
      else this.#keep(behind, { ...UNTRIED, dueAt: at });
    }
  }

  /** Its row goes, or is written anew. */
  #takeOut({ message: { eventId, subjectId }, position }: Item): void {
    this.#leaving.push(eventId);
    if (position !== null) this.#countWaiting(subjectId, -1);
  }

  #keep({ message, position, hasRow }: Item, again: Again, failedAt: Date | null = null): void {
    const { eventId, type, subjectId } = message;
    const body = position === null ? message.body.toString() : null;
    const { id: endpointId } = this.endpoint;
    this.#changes.kept.push({ endpointId, eventId, type, position, subjectId, body, failedAt, ...again });
    if (position !== null && again.dueAt !== null) this.#countWaiting(subjectId, 1);
    if (!hasRow) this.#progress.finish(position!);
  }

  #countWaiting(subject: Uuid, change: 1 | -1): void {
    this.#waitingInAll += change;
    const count = (this.#waiting.get(subject) ?? 0) + change;
    if (count > 0) this.#waiting.set(subject, count);
    else this.#waiting.delete(subject);
  }

  #hasChanges(): boolean {
    const { attempts, kept, hasMoved } = this.#changes;
    return attempts.length > 0 || kept.length > 0 || hasMoved;
  }

  /** Commits what has happened; what happens meanwhile goes into the next commit. */
  #settleSoon(): void {
    const isOld = this.#parts.clock.monotonicMs() - this.#renewedMs > RENEW_MS;
    if (this.#settling || this.#isLost || !(isOld || this.#hasChanges())) return;
    this.#settling = this.#settle({ isReleased: false }).finally(() => {
      this.#settling = undefined;
      this.news();
    });
  }

  async #settle({ isReleased }: { readonly isReleased: boolean }): Promise<void> {
    if (this.#isLost) return;
    const changes = this.#changes;
    this.#changes = noChanges();
    const leaving = this.#leaving.splice(0);
    const settlement: Settlement = {
      ...changes,
      ...this.#progress.stored,
      endpoint: this.endpoint,
      waiting: this.#waitingInAll,
      health: this.#health,
      isReleased,
    };
    const startedMs = this.#parts.clock.monotonicMs();
    // Nothing is forgotten while the lease lasts. Afterwards the next holder delivers again what was not recorded.
    const settled = await untilAnswered(() => this.#parts.settle(settlement), {
      clock: this.#parts.clock,
      totalMs: LEASE_SECONDS * SECOND_MS,
      failed: (error) => this.#parts.failed(this.endpoint, error),
    });
    this.#isLost = settled === undefined;
    if (!settled) return;
    this.#renewedMs = startedMs;
    this.#left.push(...leaving);
    if (changes.kept.length + changes.removed.length > 0 || changes.hasRecovered) this.#areRowsRead = false;
    if (settled.hasChanged) this.#isStopped = true;
  }
}
