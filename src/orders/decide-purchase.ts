import { type AttemptState, attemptState, inEveryState, NO_PROOF } from "./attempt.ts";
import {
  type AnswerOf,
  type AttemptAnswer,
  answeredAttempt,
  asNew,
  type Decision,
  type Decisions,
  endNotDone,
  entryOf,
  goToNextRoute,
  learnedFacts,
  SHARED,
  step,
} from "./attempt-answer.ts";
import type { Change, Order } from "./order.ts";
import { denied, hasTakenPiece, isUnnamed } from "./pieces.ts";
import { type PurchaseWaits, purchaseWaitsOf, validUntilOf } from "./service-definition.ts";
import { stepFor } from "./steps.ts";
import { after, withFailure } from "./transition.ts";

/**
 * What a vendor's answer, to the call or to a question about it, makes of a purchase. In which cases it is sent anew (another attempt,
 * new reference) or repeated (same reference): docs/LIFE-OF-AN-ORDER.md, "When a purchase is sent anew or repeated". In every other
 * case the vendor is asked again until it knows.
 */
export const decidePurchase = (answer: AttemptAnswer): Change => {
  const { verdict, order } = answer;
  const decide = PURCHASE[verdict.kind][attemptState(order)] as Decision<typeof verdict.kind>;
  return decide(answer);
};

/** Whether the state allows another call: not once it was delivered and only its token is missing. */
const maySendAgain = ({ service, order }: AttemptAnswer): boolean =>
  stepFor(service.table, order.state, "again") !== undefined;

/** The vendor has it: asked again on schedule, or at the time that the vendor names. */
function accept(answer: AnswerOf<"accepted">): Change {
  const { order, verdict, pieces, at } = answer;
  return step(answer, verdict.incomplete ? "incomplete" : "accepted", {
    patch: {
      ...answeredAttempt(answer),
      ...NO_PROOF,
      tries: order.tries + 1,
      ambiguousAt: order.ambiguousAt ?? (pieces.some(isUnnamed) ? at : null),
      ...learnedFacts(order, verdict),
    },
    dueAt: verdict.askAgainMs === undefined ? nextQuestionAt(answer) : after(at, verdict.askAgainMs),
    detail: entryOf(answer),
  });
}

const mayGoOn = (answer: AnswerOf<"rejected">): boolean =>
  answer.verdict.scope === "route" && answer.moreRoutes && maySendAgain(answer);

/** Certainly not done: another route gets it, or it ends with its money returned. */
function refuseOrGoOn(answer: AnswerOf<"rejected">): Change {
  const { order, verdict } = answer;
  if (!mayGoOn(answer)) return endNotDone(answer);
  // What the vendor had by its own word, or has called failed before, was tried there: whatever the code of the refusal, it failed.
  const wasTried = hasTakenPiece(order.pieces) || order.failedAt !== null;
  const isFailure = verdict.code === "vendor_failed" || wasTried;
  return isFailure ? confirmFailure(answer) : goToNextRoute(answer);
}

/**
 * Some vendors deliver what they first call failed: asked once more before another route gets it. Only failures count: that the
 * vendor did not find it before says nothing of whether it will deliver what it calls failed now.
 */
function confirmFailure(answer: AnswerOf<"rejected">): Change {
  const { order, at } = answer;
  const failedAt = order.failedAt ?? at;
  const confirmAt = after(failedAt, waitsOf(answer).confirmFailedMs ?? 0);
  return at >= confirmAt ? goToNextRoute(answer) : askAgain(answer, { dueAt: confirmAt, patch: { failedAt } });
}

/** Inconclusive: asked again on schedule. */
function ask(answer: AnswerOf<"unknown">): Change {
  const { order, verdict } = answer;
  return askAgain(answer, {
    dueAt: nextQuestionAt(answer),
    patch: { ...(verdict.isKnown && NO_PROOF), ...learnedFacts(order, verdict) },
  });
}

/**
 * Not found, and no outcome of the call was recorded: repeated, however much later. This needs no proof
 * that the first call was not done, because the vendor takes only one of the two. An order that may not be sent needs the proof.
 */
function repeatOrProve(answer: AnswerOf<"not_found">): Change {
  const { order, at } = answer;
  if (!maySendAgain(answer)) return holdContradicted(answer);
  if (answer.stop || !isInTime(answer)) return proveNotArrived(answer);
  // A vendor at work on the first call may not have stored its reference yet.
  const mayRepeatAt = after(order.begunAt ?? at, waitsOf(answer).repeatAfterMs ?? 0);
  if (at >= mayRepeatAt) return repeat(answer);
  return step(answer, "unknown", {
    patch: { ...answeredAttempt(answer), pieces: order.pieces, begunAt: order.begunAt },
    dueAt: mayRepeatAt,
    detail: entryOf(answer),
  });
}

/**
 * Not found and no outcome recorded, but the vendor may have it by a hint or an inconclusive answer, or it may not be sent any more:
 * repeated, or ended, only on proof that it was not done.
 */
const proveNotArrived = (answer: AnswerOf<"not_found">): Change =>
  prove(answer, () => {
    const { order, stop } = answer;
    if (stop)
      return step(answer, stop.answer, {
        patch: { ...answeredAttempt(answer), ...withFailure(order, stop.code, stop.detail) },
        detail: entryOf(answer),
      });
    if (isInTime(answer)) return repeat(answer);
    // Too late to be sent: back in the queue it expires as never sent.
    return step(answer, "again", { patch: asNew(answer), dueAt: answer.at, detail: entryOf(answer) });
  });

/** Not found, and its answer was lost or unclear: on proof that it was not done, this counts as a refusal by the route. */
const proveNotDone = (answer: AnswerOf<"not_found">): Change =>
  prove(answer, () => {
    const { detail } = answer.verdict;
    const refused = { ...answer, verdict: { kind: "rejected", scope: "route", code: "no_route", detail } } as const;
    return mayGoOn(refused) ? goToNextRoute(refused) : endNotDone(refused);
  });

/** Not found by a vendor that said it has it. A contradiction proves nothing: the money stays held, and a person has to look. */
function holdContradicted(answer: AnswerOf<"not_found">): Change {
  const { order, at } = answer;
  return askAgain(answer, {
    dueAt: nextQuestionAt(answer),
    patch: { pieces: denied(order.pieces, at) },
    detail: { contradicts: true },
  });
}

/**
 * Two `not_found` answers prove that nothing was done, if the first is at least `settleMs` after the call, and the second at least
 * `notFoundApartMs` after the first. By then the call can no longer be on its way. `settleMs` counts from the begin while no outcome is
 * recorded, then from the record of the lost or inconclusive answer, which is later. Neither an answer that leaves it open nor an unproven hint
 * between the two restarts the proof: the vendor itself is asked, and whoever forges hints could otherwise hold the money for ever.
 */
function prove(answer: AnswerOf<"not_found">, proven: () => Change): Change {
  const { order, callBegunAt, at } = answer;
  const { settleMs, notFoundApartMs } = waitsOf(answer);
  if (!maySendAgain(answer)) return holdContradicted(answer);
  const leftAt = order.begunAt ?? order.ambiguousAt ?? callBegunAt ?? at;
  const settlesAt = after(leftAt, settleMs);
  if (at < settlesAt)
    return askAgain(answer, {
      dueAt: settlesAt,
      patch: { pieces: order.pieces, ambiguousAt: order.ambiguousAt ?? leftAt },
    });
  const first = order.notFoundAt;
  if (first && at.getTime() - first.getTime() >= notFoundApartMs) return proven();
  return askAgain(answer, {
    dueAt: after(at, notFoundApartMs),
    patch: { pieces: order.pieces, notFoundAt: first ?? at },
  });
}

/** Goes back to the queue, to be repeated under the same reference. */
const repeat = (answer: AnswerOf<"not_found">): Change =>
  step(answer, "again", {
    patch: { ...asNew(answer), pieces: (answer.order.pieces ?? [{}]).map(() => ({ status: "unheard" })) },
    dueAt: answer.at,
    detail: entryOf(answer),
  });

/** The outcome stays unknown, and the vendor is asked again. */
function askAgain(
  answer: AttemptAnswer,
  { dueAt, patch, detail }: { readonly dueAt: Date; readonly patch: Partial<Order>; readonly detail?: object },
): Change {
  const { order, at } = answer;
  return step(answer, "unknown", {
    patch: { ...answeredAttempt(answer), ambiguousAt: order.ambiguousAt ?? at, tries: order.tries + 1, ...patch },
    dueAt,
    detail: entryOf(answer, detail),
  });
}

const waitsOf = ({ service, order }: AttemptAnswer): PurchaseWaits => purchaseWaitsOf(service, order);

function isInTime({ service, order, at }: AttemptAnswer): boolean {
  const until = validUntilOf(service, order);
  return until === null || at < until;
}

const nextQuestionAt = (answer: AttemptAnswer): Date => requeryAt(waitsOf(answer), answer.order, answer.at);

const REQUERY_MS_MIN = 60_000;

/**
 * When the vendor is asked again: on the service's schedule, but no later than twice the order's age. Callbacks cause questions too,
 * and whoever forges callbacks must not delay the next one.
 */
export const requeryAt = (
  waits: PurchaseWaits,
  { tries, createdAt }: Pick<Order, "tries" | "createdAt">,
  at: Date,
): Date =>
  after(at, Math.min(waits.requeryMs(tries), Math.max(REQUERY_MS_MIN, 2 * (at.getTime() - createdAt.getTime()))));

/** Answer × state of the attempt. */
const PURCHASE: { readonly [Kind in keyof Decisions]: Readonly<Record<AttemptState, Decision<Kind>>> } = {
  accepted: inEveryState(accept),
  done: inEveryState(SHARED.done),
  rejected: inEveryState(refuseOrGoOn),
  part_refused: inEveryState(SHARED.part_refused),
  throttled: inEveryState(SHARED.throttled),
  unknown: inEveryState(ask),
  not_found: {
    new: repeatOrProve,
    begun: repeatOrProve,
    to_repeat: repeatOrProve,
    repeated: repeatOrProve,
    doubted: proveNotArrived,
    unanswered: proveNotDone,
    taken: holdContradicted,
    settled: holdContradicted,
  },
  reversed: inEveryState(SHARED.reversed),
};
