import { explainFailure, type FailureCode } from "../kernel/failures.ts";
import type { Outcome } from "../ports/provider.ts";
import { leavingFirstWay, NOT_SENT_YET } from "./fallback.ts";
import type { Change, LearnedReference, Order, Piece } from "./order.ts";
import { denied, isOpen, isUnheard, isUnnamed, settlePieces, type Verdict } from "./pieces.ts";
import type { ServiceDefinition, Waits } from "./service-definition.ts";
import { type Answer, isFinal, stepFor } from "./steps.ts";
import { begunOnceMore, throttledOnceMore, waitOf } from "./throttled.ts";

/**
 * The decisions of the engine, pure: what an order becomes by an answer, a report, a clock or a caller. Nothing here does IO,
 * so the simulation test can play millions of histories against it. The caller applies the change (`OrdersRepo.change`); if the
 * order has moved on meanwhile, it reads again and decides anew.
 */

interface Extra {
  readonly at: Date;
  readonly patch?: Partial<Order>;
  readonly dueAt?: Date | null;
  readonly keepLease?: boolean;
  /** It ends so, though there be another way. */
  readonly isLast?: boolean;
  /** Due even in a final state. */
  readonly askOn?: boolean;
  readonly needs?: Change["needs"];
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly references?: readonly LearnedReference[];
}

/** Takes the step that the table has for the answer. Without one the state stays and only the timeline tells. */
export function transition(service: ServiceDefinition, order: Order, answer: Answer | undefined, extra: Extra): Change {
  const step = answer && stepFor(service.table, order.state, answer);
  const state = step?.to ?? order.state;
  if (step?.money === "void" && answer && !extra.isLast && service.hasAnotherWay?.(order, answer, extra.at))
    return goOnInstead(service, order, extra);
  const ends = isFinal(service.table, state) && order.endedAt === null;
  // A final order is due only when a vendor has to be asked once more (a hint of a reversal).
  const timeout = service.stateTimeout?.(state, order.mode);
  const endsAt = timeout ? after(extra.at, timeout.ms) : null;
  const dueAt = isFinal(service.table, state) && !extra.askOn ? null : (extra.dueAt ?? endsAt);
  const published = step !== undefined && state !== order.state && service.table.published.has(state);
  return {
    before: order,
    after: {
      ...order,
      ...extra.patch,
      state,
      dueAt: extra.keepLease ? order.dueAt : dueAt,
      version: order.version + 1,
      updatedAt: extra.at,
      endedAt: ends ? extra.at : order.endedAt,
      leasedUntil: extra.keepLease ? order.leasedUntil : null,
    },
    dueAt,
    keepLease: extra.keepLease ?? false,
    ...(extra.needs ? { needs: extra.needs } : {}),
    at: extra.at,
    references: extra.references ?? [],
    ...(step?.money ? { money: step.money } : {}),
    ...(step?.money === "post" && service.taken ? { takenKobo: service.taken(order) } : {}),
    ...(published ? { event: `${service.subjectOf?.(order) ?? service.service}.${state}` } : {}),
    ...(extra.detail ? { detail: extra.detail } : {}),
  };
}

/** The first way came to nothing for certain: the order goes on as if new, the other way, under its next attempt. */
function goOnInstead(service: ServiceDefinition, order: Order, extra: Extra): Change {
  const facts = leavingFirstWay({ ...order, ...extra.patch }, extra.at);
  return transition(service, order, "instead", {
    ...extra,
    keepLease: false,
    dueAt: extra.at,
    detail: { ...extra.detail, instead: true },
    patch: { ...extra.patch, ...NOT_SENT_YET, facts },
  });
}

export const withFailure = (order: Order, code: FailureCode | string, detail: string): Partial<Order> => ({
  facts: { ...order.facts, failure: { code, detail } },
});

/**
 * The durable mark before the call: attempt, route and how many pieces may leave are committed, under this node's own live
 * lease only. Pieces taken before stay as they are.
 */
export function decideBegin(
  service: ServiceDefinition,
  order: Order,
  route: string,
  pieceCount: number,
  at: Date,
  attemptReference: string | null = null,
): Change {
  const attempt = nextAttempt(order);
  const pieces = Array.from({ length: pieceCount }, (_, index): Piece => {
    const known = attempt === order.attempt ? order.pieces?.[index] : undefined;
    return known ?? { status: "open" };
  });
  return transition(service, order, "begun", {
    at,
    keepLease: true,
    needs: "own lease",
    patch: { attempt, route, attemptReference, begunAt: at, pieces },
    ...begunOnceMore(order),
  });
}

/** Open pieces of a begun message, and a call that was never heard, are repeated within their attempt; all else is a new one. */
export const nextAttempt = (order: Order): number =>
  hasTakenPiece(order) || isUnheard(order.pieces) ? order.attempt : order.attempt + 1;

export const hasTakenPiece = (order: Pick<Order, "pieces">): boolean =>
  order.pieces?.some((piece) => !isOpen(piece) && piece.status !== "refused") ?? false;

export const piecesOf = (order: Order, attempt: number) => (attempt === order.attempt ? order.pieces : null);

export interface Answered {
  readonly route: string;
  readonly attempt: number;
  /** Our reference for the attempt, where its vendor demands one. */
  readonly attemptReference: string | null;
  /** When the first byte may have left. */
  readonly begunAt: Date;
  /** By piece; undefined where nothing was sent this time. */
  readonly outcomes: readonly (Outcome | undefined)[];
  /** Whether another route is left for this order. */
  readonly moreRoutes: boolean;
}

/** What the vendor's answers to an attempt make of the order. */
export function decideOutcome(service: ServiceDefinition, order: Order, answered: Answered, at: Date): Change {
  const before = piecesOf(order, answered.attempt);
  // Of a first call that a signed callback has overtaken it is the same: the vendor has it, whatever it answers now.
  const isRepeat = isUnheard(before) || (order.ambiguity === "requery" && hasTakenPiece({ pieces: before }));
  const outcomes = isRepeat ? answered.outcomes.map(refusalOfRepeat) : answered.outcomes;
  const { pieces, verdict } = settlePieces(before, outcomes);
  const references = referencesOf(pieces, answered);
  // Attempt, route, reference and pieces go together: a vendor is only ever asked about what it was given.
  const { route, attempt, attemptReference } = answered;
  const current: Order = { ...order, route, attempt, attemptReference };
  return decideVerdict(service, current, order, verdict, pieces, references, answered, at);
}

/**
 * A refusal speaks of the repeat; the call before it may have been taken by now, of which the vendor's books tell. One that was turned
 * away for a purchase like it speaks of that call, as far as anybody can tell: the vendor is taken to have it.
 */
function refusalOfRepeat(outcome: Outcome | undefined): Outcome | undefined {
  if (outcome?.kind === "rejected") return { kind: "unknown", detail: outcome.detail };
  return outcome?.kind === "throttled" && outcome.isLikeAnother
    ? { kind: "unknown", detail: outcome.detail, isKnown: true }
    : outcome;
}

/** What this answer taught of the vendor's references. */
export const referencesOf = (
  pieces: readonly Piece[],
  { route, attempt, outcomes }: Answered,
): readonly LearnedReference[] =>
  pieces.flatMap(({ reference }, piece) =>
    reference === undefined || outcomes[piece] === undefined ? [] : [{ route, reference, attempt, piece }],
  );

export function decideVerdict(
  service: ServiceDefinition,
  current: Order,
  before: Order,
  verdict: Verdict,
  pieces: readonly Piece[],
  references: readonly LearnedReference[],
  answered: Pick<Answered, "begunAt" | "moreRoutes" | "route">,
  at: Date,
): Change {
  const waits = service.waits(before.mode);
  const { attempt, route, attemptReference } = current;
  const base: Partial<Order> = { attempt, route, attemptReference, begunAt: null, pieces };
  const detail = (more: object = {}) => ({ begun_at: answered.begunAt.toISOString(), route: answered.route, ...more });
  const go = (answer: Answer, extra: Omit<Extra, "at">) =>
    transition(service, before, answer, { at, references, ...extra });
  const some = hasTakenPiece({ ...current, pieces });
  /** For certain not done: it may leave again at once, as if for the first time. */
  const afresh = { ...base, pieces: null, ambiguousAt: null, notFoundAt: null, tries: 0 };

  switch (verdict.kind) {
    case "accepted":
      return go(verdict.incomplete ? "incomplete" : "accepted", {
        patch: {
          ...base,
          // A vendor that has it is one that did not fail to find it.
          notFoundAt: null,
          tries: before.ambiguity === "requery" ? before.tries + 1 : before.tries,
          // Nothing names it: its report is looked for like that of a lost answer.
          ambiguousAt: before.ambiguousAt ?? (pieces.some(isUnnamed) ? at : null),
          ...learned(before, verdict),
        },
        detail: detail(),
        dueAt:
          before.ambiguity !== "requery"
            ? null
            : verdict.askAgainMs === undefined
              ? requeryAt(waits, before, at)
              : after(at, verdict.askAgainMs),
      });
    case "done":
      return go("done", { patch: { ...base, ...learned(before, verdict) }, detail: detail() });
    case "part_refused":
      return go("part_refused", {
        patch: { ...base, ...withFailure(before, "part_refused", explainFailure("part_refused", verdict.detail)) },
        detail: detail({ answer: verdict.detail }),
      });
    case "rejected": {
      const tried = verdict.scope === "route" ? [...before.tried, answered.route] : before.tried;
      const told = detail({ answer: verdict.detail });
      // An earlier try's answer was lost: whatever this refusal is about, that one may have been taken. No other route may have a
      // go, and nothing goes back before a report, or the time for one is over.
      const clear = before.ambiguousAt === null || before.ambiguity === "requery";
      if (!clear)
        return go("unknown", {
          patch: { ...base, tried },
          dueAt: after(at, waits.unknownMs(before, at)),
          detail: told,
        });
      // A state that has no way back to the queue (delivered, its token to come) is never bought again elsewhere.
      if (verdict.scope === "route" && answered.moreRoutes && stepFor(service.table, before.state, "again")) {
        const apartMs = verdict.code === "vendor_failed" ? (waits.failedApartMs ?? 0) : 0;
        const since = before.notFoundAt ?? at;
        if (before.ambiguity === "requery" && at < after(since, apartMs))
          return go("unknown", {
            patch: { ...base, ambiguousAt: before.ambiguousAt ?? at, notFoundAt: since, tries: before.tries + 1 },
            dueAt: after(since, apartMs),
            detail: told,
          });
        return go("again", {
          patch: { ...afresh, tried },
          dueAt: at,
          detail: told,
        });
      }
      return go(verdict.scope === "route" ? "exhausted" : "rejected", {
        patch: { ...base, tried, ...withFailure(before, verdict.code, explainFailure(verdict.code, verdict.detail)) },
        detail: told,
      });
    }
    case "throttled": {
      const { throttled, inRow, detail: repeats } = throttledOnceMore(before, answered.route, at);
      const waitMs = waitOf(before, inRow, verdict.retryAfterMs);
      const said = { answer: verdict.detail, retry_after_ms: waitMs };
      return go("again", {
        patch: {
          ...base,
          // While an answer is missing the number of pieces is remembered: a report of one is not the word on all.
          pieces: some || before.ambiguousAt !== null || isUnheard(pieces) ? pieces : null,
          facts: { ...before.facts, throttled },
        },
        dueAt: after(at, waitMs),
        // The entry keeps when it was first begun.
        detail: "repeat_of" in repeats ? { ...said, ...repeats } : detail(said),
      });
    }
    case "unknown": {
      const ambiguousAt = before.ambiguousAt ?? at;
      const tries = before.tries + 1;
      const lost = {
        ...base,
        ambiguousAt,
        tries,
        ...(verdict.isKnown && { notFoundAt: null }),
        ...learned(before, verdict),
      };
      if (before.ambiguity === "requery")
        return go("unknown", {
          patch: lost,
          dueAt: requeryAt(waits, before, at),
          detail: detail({ answer: verdict.detail }),
        });
      if (before.ambiguity === "retry" && before.tries < waits.retriesMax)
        return go("again", {
          patch: lost,
          dueAt: after(at, waits.retryMs ?? 0),
          detail: detail({ answer: verdict.detail, lost_answers: tries }),
        });
      return go("unknown", {
        patch: lost,
        dueAt: after(at, waits.unknownMs(before, at)),
        detail: detail({ answer: verdict.detail }),
      });
    }
    case "not_found": {
      const first = before.notFoundAt;
      const leftAt = before.begunAt ?? before.ambiguousAt ?? answered.begunAt;
      const settlesAt = after(leftAt, waits.settleMs);
      // No proof against the vendor's own word that it has it, or has delivered it: a person, or a word that decides, ends that.
      // Under such a word `first` is when the vendor called it failed, which stands although it has forgotten it since.
      const contradicts =
        stepFor(service.table, before.state, "again") === undefined || (hasTakenPiece(before) && first === null);
      if (contradicts)
        return go("unknown", {
          patch: {
            ...base,
            pieces: denied(before.pieces, at),
            ambiguousAt: before.ambiguousAt ?? at,
            tries: before.tries + 1,
          },
          dueAt: requeryAt(waits, before, at),
          detail: detail({ answer: verdict.detail, contradicts: true }),
        });
      // A vendor that never answered has had its turn. One that was never heard has not: it is called again, for as long as the order
      // may leave at all. It need not be proven that nothing was done: under the same name the vendor takes one of the two calls, be
      // the first still travelling, or its node only frozen. Where something speaks for the first (ambiguous), it is proven all the same.
      const goesAgain = wasNeverHeard(before) && mayLeave(service, before, at);
      const sentAgain = () =>
        go("again", {
          patch: { ...afresh, pieces: (before.pieces ?? [{}]).map(() => ({ status: "unheard" })) },
          dueAt: at,
          detail: detail({ answer: verdict.detail }),
        });
      if (goesAgain && before.ambiguousAt === null) {
        // A vendor at work on the first call may not have stored its name yet.
        const mayGoAt = after(before.begunAt ?? at, waits.unheardMs ?? 0);
        if (at >= mayGoAt) return sentAgain();
        const asBegun = { ...base, pieces: before.pieces, begunAt: before.begunAt };
        return go("unknown", { patch: asBegun, dueAt: mayGoAt, detail: detail({ answer: verdict.detail }) });
      }
      // The request may still be travelling: not finding it proves nothing yet.
      if (at < settlesAt)
        return go("unknown", {
          patch: { ...base, pieces: before.pieces, ambiguousAt: before.ambiguousAt ?? leftAt, tries: before.tries + 1 },
          dueAt: settlesAt,
          detail: detail({ answer: verdict.detail }),
        });
      if (first && at.getTime() - first.getTime() >= waits.notFoundApartMs) {
        if (goesAgain) return sentAgain();
        // Its time is over: it ends as one that never left.
        if (wasNeverHeard(before))
          return go("again", { patch: afresh, dueAt: at, detail: detail({ answer: verdict.detail }) });
        const proof: Verdict = { kind: "rejected", scope: "route", code: "no_route", detail: verdict.detail };
        return decideVerdict(service, current, before, proof, pieces, references, answered, at);
      }
      return go("unknown", {
        patch: {
          ...base,
          pieces: before.pieces,
          ambiguousAt: before.ambiguousAt ?? at,
          notFoundAt: first ?? at,
          tries: before.tries + 1,
        },
        dueAt: after(at, waits.notFoundApartMs),
        detail: detail({ answer: verdict.detail }),
      });
    }
    case "reversed":
      return go("reversed", {
        // After a success the vendor took it back; before one it never was.
        patch: {
          begunAt: null,
          ...(before.endedAt === null &&
            withFailure(before, "vendor_failed", explainFailure("vendor_failed", verdict.detail))),
        },
        detail: detail({ answer: verdict.detail }),
      });
  }
}

/**
 * Whether no outcome of its call was ever recorded, not even that there was no answer: the node ended, or was frozen, between
 * its mark and its record.
 */
const wasNeverHeard = ({ pieces }: Order): boolean =>
  pieces?.every(({ status }) => status === "open" || status === "unheard") ?? true;

const mayLeave = (service: ServiceDefinition, order: Order, at: Date): boolean => {
  const until = validUntilOf(service, order);
  return until === null || at < until;
};

/** Until when it may leave. */
export const validUntilOf = ({ validUntil }: ServiceDefinition, order: Order): Date | null =>
  validUntil ? validUntil(order) : order.expiresAt;

/** What an answer taught besides. */
export const learned = (order: Order, verdict: { facts?: Readonly<Record<string, unknown>> }): Partial<Order> =>
  verdict.facts ? { facts: { ...order.facts, ...verdict.facts } } : {};

const REQUERY_MS_MIN = 60_000;

/**
 * When its vendor is asked again: by the service's schedule, but no later than twice the order's age. Questions that callbacks
 * bring about count as well, and whoever makes callbacks up must not put the next one off.
 */
export const requeryAt = (waits: Waits, { tries, createdAt }: Pick<Order, "tries" | "createdAt">, at: Date): Date =>
  after(at, Math.min(waits.requeryMs(tries), Math.max(REQUERY_MS_MIN, 2 * (at.getTime() - createdAt.getTime()))));

export const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
