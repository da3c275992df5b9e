import { explainFailure, type FailureCode } from "../kernel/failures.ts";
import type { Outcome } from "../providers/provider.ts";
import type { Change, LearnedReference, Order, Piece } from "./order.ts";
import { isOpen, isUnnamed, settlePieces, type Verdict } from "./pieces.ts";
import type { Failure, ServiceDefinition } from "./service-definition.ts";
import { type Answer, isFinal, stepFor } from "./steps.ts";

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
  readonly needs?: Change["needs"];
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly references?: readonly LearnedReference[];
}

/** Takes the step that the table has for the answer. Without one the state stays and only the timeline tells. */
export function transition(service: ServiceDefinition, order: Order, answer: Answer | undefined, extra: Extra): Change {
  const step = answer && stepFor(service.table, order.state, answer);
  const state = step?.to ?? order.state;
  const ends = isFinal(service.table, state) && order.endedAt === null;
  const published = step !== undefined && state !== order.state && service.table.published.has(state);
  return {
    before: order,
    after: {
      ...order,
      ...extra.patch,
      state,
      version: order.version + 1,
      updatedAt: extra.at,
      endedAt: ends ? extra.at : order.endedAt,
      leasedUntil: extra.keepLease ? order.leasedUntil : null,
    },
    dueAt: isFinal(service.table, state) ? null : (extra.dueAt ?? null),
    keepLease: extra.keepLease ?? false,
    ...(extra.needs ? { needs: extra.needs } : {}),
    at: extra.at,
    references: extra.references ?? [],
    ...(step?.money ? { money: step.money } : {}),
    ...(published ? { event: `${service.service}.${state}` } : {}),
    ...(extra.detail ? { detail: extra.detail } : {}),
  };
}

const withFailure = (order: Order, code: FailureCode | string, detail: string): Partial<Order> => ({
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
    patch: { attempt, route, begunAt: at, pieces },
  });
}

/** Open pieces of a begun message are repeated within its attempt; everything else is a new attempt. */
export const nextAttempt = (order: Order): number => (hasTakenPiece(order) ? order.attempt : order.attempt + 1);

export const hasTakenPiece = (order: Pick<Order, "pieces">): boolean =>
  order.pieces?.some((piece) => !isOpen(piece) && piece.status !== "refused") ?? false;

const piecesOf = (order: Order, attempt: number) => (attempt === order.attempt ? order.pieces : null);

export interface Answered {
  readonly route: string;
  readonly attempt: number;
  /** When the first byte may have left. */
  readonly begunAt: Date;
  /** By piece; undefined where nothing was sent this time. */
  readonly outcomes: readonly (Outcome | undefined)[];
  /** Whether another route is left for this order. */
  readonly moreRoutes: boolean;
}

/** What the vendor's answers to an attempt make of the order. */
export function decideOutcome(service: ServiceDefinition, order: Order, answered: Answered, at: Date): Change {
  const { pieces, verdict } = settlePieces(piecesOf(order, answered.attempt), answered.outcomes);
  const references = referencesOf(pieces, answered);
  // Attempt, route and pieces go together: a vendor is only ever asked about what it was given.
  const current: Order = { ...order, attempt: answered.attempt, route: answered.route };
  return decideVerdict(service, current, order, verdict, pieces, references, answered, at);
}

/** What this answer taught of the vendor's references. */
const referencesOf = (pieces: readonly Piece[], { route, attempt, outcomes }: Answered): readonly LearnedReference[] =>
  pieces.flatMap(({ reference }, piece) =>
    reference === undefined || outcomes[piece] === undefined ? [] : [{ route, reference, attempt, piece }],
  );

function decideVerdict(
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
  const base: Partial<Order> = { attempt: current.attempt, route: current.route, begunAt: null, pieces };
  const detail = (more: object = {}) => ({ begun_at: answered.begunAt.toISOString(), route: answered.route, ...more });
  const go = (answer: Answer, extra: Omit<Extra, "at">) =>
    transition(service, before, answer, { at, references, ...extra });
  const some = hasTakenPiece({ ...current, pieces });

  switch (verdict.kind) {
    case "accepted":
      return go("accepted", {
        patch: {
          ...base,
          // A vendor that has it is one that did not fail to find it.
          notFoundAt: null,
          // Nothing names it: its report is looked for like that of a lost answer.
          ambiguousAt: before.ambiguousAt ?? (pieces.some(isUnnamed) ? at : null),
          ...learned(before, verdict),
        },
        detail: detail(),
        dueAt: before.ambiguity === "requery" ? after(at, waits.requeryMs(before.tries)) : null,
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
      if (verdict.scope === "route" && answered.moreRoutes)
        return go("again", {
          patch: { ...base, pieces: null, tried, ambiguousAt: null, notFoundAt: null, tries: 0 },
          dueAt: at,
          detail: told,
        });
      return go(verdict.scope === "route" ? "exhausted" : "rejected", {
        patch: { ...base, tried, ...withFailure(before, verdict.code, explainFailure(verdict.code, verdict.detail)) },
        detail: told,
      });
    }
    case "throttled":
      return go("again", {
        // While an answer is missing the number of pieces is remembered: a report of one is not the word on all.
        patch: { ...base, pieces: some || before.ambiguousAt !== null ? pieces : null },
        dueAt: after(at, verdict.retryAfterMs),
        detail: detail({ answer: verdict.detail, retry_after_ms: verdict.retryAfterMs }),
      });
    case "unknown": {
      const ambiguousAt = before.ambiguousAt ?? at;
      const tries = before.tries + 1;
      const lost = { ...base, ambiguousAt, tries };
      if (before.ambiguity === "requery")
        return go("unknown", {
          patch: lost,
          dueAt: after(at, waits.requeryMs(before.tries)),
          detail: detail({ answer: verdict.detail }),
        });
      if (before.ambiguity === "retry" && before.tries < waits.retriesMax)
        return go("again", {
          patch: lost,
          dueAt: at,
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
      if (first && at.getTime() - first.getTime() >= waits.notFoundApartMs) {
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
      return go("reversed", { patch: { begunAt: null }, detail: detail({ answer: verdict.detail }) });
  }
}

const learned = (order: Order, verdict: { facts?: Readonly<Record<string, unknown>> }): Partial<Order> =>
  verdict.facts ? { facts: { ...order.facts, ...verdict.facts } } : {};

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/**
 * The answer to an attempt when the lease is no longer this node's: another holder has it, or the order was decided meanwhile
 * (by a report, or by this very answer, whose commit was not confirmed). It is evidence: that the vendor has
 * the order counts like a report; that it has not says nothing about what the other holder did. A purchase went on to its next
 * attempt only on proof that the earlier one was not done, so of that only a success is news.
 */
export function decideLateOutcome(service: ServiceDefinition, order: Order, answered: Answered, at: Date): Change {
  const { pieces, verdict } = settlePieces(piecesOf(order, answered.attempt), answered.outcomes);
  const isOutdated = order.ambiguity === "requery" && answered.attempt < order.attempt;
  const counts = verdict.kind === "done" || (verdict.kind === "accepted" && !isOutdated);
  if (counts && stepFor(service.table, order.state, verdict.kind)) return decideOutcome(service, order, answered, at);
  return transition(service, order, undefined, {
    at,
    keepLease: true,
    references: referencesOf(pieces, answered),
    detail: { late_answer: verdict.kind, route: answered.route, attempt: answered.attempt },
  });
}

/** A requery's answer: it speaks of the attempt as a whole. A vendor that can't be asked now changes nothing. */
export function decideRequery(
  service: ServiceDefinition,
  order: Order,
  outcome: Outcome,
  moreRoutes: boolean,
  at: Date,
): Change {
  if (outcome.kind === "throttled" || outcome.kind === "unknown")
    return transition(service, order, "unknown", {
      at,
      patch: { begunAt: null, tries: order.tries + 1, ambiguousAt: order.ambiguousAt ?? at },
      dueAt: after(at, service.waits(order.mode).requeryMs(order.tries)),
      detail: { requery: outcome.detail },
    });
  const route = order.route ?? "";
  const reference = "providerReference" in outcome ? outcome.providerReference : undefined;
  const pieces = reference === undefined ? (order.pieces ?? []) : [{ status: "taken", reference }];
  const references = reference === undefined ? [] : [{ route, reference, attempt: order.attempt, piece: 0 }];
  const answered = { route, begunAt: order.begunAt ?? at, moreRoutes };
  return decideVerdict(service, order, order, outcome, pieces, references, answered, at);
}

/** What is to be done with an order that was claimed because it is due. */
export type Due =
  | { readonly kind: "send" }
  | { readonly kind: "requery" }
  /** Apply, then look again if the lease is kept. */
  | { readonly kind: "change"; readonly change: Change };

export function decideDue(service: ServiceDefinition, order: Order, now: Date): Due {
  const { table } = service;
  const may = (answer: Answer) => stepFor(table, order.state, answer) !== undefined;
  const begun = order.begunAt !== null;

  if (isAskedAfter(order)) return { kind: "requery" };
  if (may("timed_out"))
    return {
      kind: "change",
      change: transition(service, order, "timed_out", {
        at: now,
        patch: withFailure(order, "outcome_unknown", "The vendor's answer was lost and no report came in time."),
      }),
    };
  // Begun and unanswered: a node died between the call and its record. It may have left.
  if (begun) {
    const answered = { route: order.route ?? "", begunAt: order.begunAt, moreRoutes: false };
    const lost: Verdict = { kind: "unknown", detail: "The node that sent it ended before the answer was recorded." };
    const pieces = (order.pieces ?? []).map(
      (piece): Piece => (isOpen(piece) ? { ...piece, status: "unanswered" } : piece),
    );
    return { kind: "change", change: decideVerdict(service, order, order, lost, pieces, [], answered, now) };
  }
  /** It will not leave (again). If something may have been taken, it waits for a report like any order whose outcome is unknown. */
  const giveUp = (answer: "expired" | "exhausted", failure: Failure): Due => ({
    kind: "change",
    change: decideGivenUp(service, order, answer, failure, now),
  });
  if (order.expiresAt !== null && order.expiresAt <= now)
    return giveUp("expired", {
      code: "validity_expired",
      detail: "The validity time ran out before it could be sent.",
    });
  const wait = service.beforeSend?.(order, now);
  if (wait && "fail" in wait) return giveUp("exhausted", { code: wait.fail, detail: wait.detail });
  if (wait)
    return {
      kind: "change",
      change: transition(service, order, "deferred", {
        at: now,
        dueAt: wait.deferUntil,
        detail: { until: wait.deferUntil.toISOString() },
      }),
    };
  if (may("woken"))
    return { kind: "change", change: transition(service, order, "woken", { at: now, keepLease: true }) };
  return { kind: "send" };
}

/** It is not to be sent any more. What may have left waits for a report, like any order whose outcome is unknown. */
function decideGivenUp(
  service: ServiceDefinition,
  order: Order,
  answer: "expired" | "exhausted" | "suspended",
  { code, detail }: Failure,
  at: Date,
): Change {
  if (!mayHaveLeft(order)) return transition(service, order, answer, { at, patch: withFailure(order, code, detail) });
  const dueAt = after(at, service.waits(order.mode).unknownMs(order, at));
  return transition(service, order, "unknown", { at, dueAt, detail: { answer: detail } });
}

/** The account was suspended by the time the order was to leave. */
export const decideSuspended = (service: ServiceDefinition, order: Order, at: Date): Change =>
  decideGivenUp(
    service,
    order,
    "suspended",
    { code: "account_suspended", detail: "The account was suspended when its time came." },
    at,
  );

/** The service's last look found that it must not be sent any more. */
export const decideUnfit = (service: ServiceDefinition, order: Order, why: Failure, at: Date): Change =>
  decideGivenUp(service, order, "exhausted", why, at);

/** Whether the lease under which an order was sent still stands: only then does the answer decide. */
export const isStillHeld = (current: Order, sentAs: Order): boolean =>
  current.leaseEpoch === sentAs.leaseEpoch && current.leasedUntil !== null;

/** Of such an order the vendor is asked, before anything else is done, until it is proven done or not done. */
export const isAskedAfter = (order: Order): boolean =>
  order.ambiguity === "requery" && (order.begunAt !== null || mayHaveLeft(order));

/** Whether a vendor may have any of it. */
const mayHaveLeft = (order: Order): boolean => order.ambiguousAt !== null || hasTakenPiece(order);
