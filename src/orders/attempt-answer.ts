import { explainFailure } from "../kernel/failures.ts";
import { NO_PROOF } from "./attempt.ts";
import type { Change, LearnedReference, Order, Piece } from "./order.ts";
import { hasTakenPiece, mayHaveEarlierCall, type Verdict } from "./pieces.ts";
import type { ServiceDefinition, Stop } from "./service-definition.ts";
import type { Answer } from "./steps.ts";
import { throttledOnceMore, waitOf } from "./throttled.ts";
import { after, type Extra, transition, withFailure } from "./transition.ts";

/** A vendor's answer about one attempt, to the call itself or to a question about it, and the decisions that messages and purchases share. */
export interface AttemptAnswer<Said extends Verdict = Verdict> {
  readonly service: ServiceDefinition;
  /** The order as it is stored. */
  readonly order: Order;
  /** The attempt that was answered. */
  readonly attempt: Pick<Order, "attempt" | "route" | "attemptReference">;
  /** When the first byte of its call may have left; null for a question after the call was recorded. */
  readonly callBegunAt: Date | null;
  readonly verdict: Said;
  /** The pieces after this answer, and the vendor's references for them that it taught. */
  readonly pieces: readonly Piece[];
  readonly references: readonly LearnedReference[];
  /** Whether another route is left for the order. */
  readonly moreRoutes: boolean;
  /** Why the order may not be sent again, if the question was asked for that. */
  readonly stop?: Stop;
  readonly at: Date;
}

/** An answer of one kind (or several). */
export type AnswerOf<Kind extends Verdict["kind"]> = AttemptAnswer<Extract<Verdict, { readonly kind: Kind }>>;

/** A decision on an answer of one kind. */
export type Decision<Kind extends Verdict["kind"]> = (answer: AnswerOf<Kind>) => Change;

/** A decision for each kind of answer. */
export type Decisions<Kind extends Verdict["kind"] = Verdict["kind"]> = { readonly [Each in Kind]: Decision<Each> };

/** Takes the step, with what the answer taught of references. */
export const step = (
  { service, order, references, at }: AttemptAnswer,
  name: Answer,
  extra: Omit<Extra, "at" | "references">,
): Change => transition(service, order, name, { at, references, ...extra });

/** The attempt as it is after its answer: no call is under way. */
export const answeredAttempt = ({ attempt, pieces }: AttemptAnswer): Partial<Order> => ({
  ...attempt,
  begunAt: null,
  pieces,
});

/** Certainly not done: it may be sent again at once, as if for the first time. */
export const asNew = (answer: AttemptAnswer): Partial<Order> => ({
  ...answeredAttempt(answer),
  pieces: null,
  ambiguousAt: null,
  ...NO_PROOF,
  tries: 0,
});

/** The timeline's entry: when (of a call) and where the attempt was begun, and the vendor's own words. */
export const entryOf = (
  { callBegunAt, attempt, verdict }: AttemptAnswer,
  more: object = {},
): Readonly<Record<string, unknown>> => ({
  ...(callBegunAt && { begun_at: callBegunAt.toISOString() }),
  route: attempt.route ?? "",
  ...("detail" in verdict && { answer: verdict.detail }),
  ...more,
});

/** What the answer taught of the order besides. */
export const learnedFacts = (order: Order, { facts }: { facts?: Readonly<Record<string, unknown>> }): Partial<Order> =>
  facts ? { facts: { ...order.facts, ...facts } } : {};

/** The routes that are not to be tried again after this refusal. */
export const triedAfter = ({ order, attempt, verdict }: AnswerOf<"rejected">): readonly string[] =>
  verdict.scope === "route" ? [...order.tried, attempt.route ?? ""] : order.tried;

/** Proven done. */
function finish(answer: AnswerOf<"done">): Change {
  const { order, verdict } = answer;
  return step(answer, "done", {
    patch: { ...answeredAttempt(answer), ...learnedFacts(order, verdict) },
    detail: entryOf(answer),
  });
}

/** Certainly not done, and it ends: refused for good (`rejected`), or by the last route that was left for it (`exhausted`). */
export function endNotDone(answer: AnswerOf<"rejected">): Change {
  const { order, verdict } = answer;
  const { code, detail, scope } = verdict;
  return step(answer, scope === "route" ? "exhausted" : "rejected", {
    patch: {
      ...answeredAttempt(answer),
      tried: triedAfter(answer),
      ...withFailure(order, code, explainFailure(code, detail)),
    },
    detail: entryOf(answer),
  });
}

/** Certainly not done here: another route gets it. */
export const goToNextRoute = (answer: AnswerOf<"rejected">): Change =>
  step(answer, "again", {
    patch: { ...asNew(answer), tried: triedAfter(answer) },
    dueAt: answer.at,
    detail: entryOf(answer),
  });

function refusePart(answer: AnswerOf<"part_refused">): Change {
  const { order, verdict } = answer;
  const failure = withFailure(order, "part_refused", explainFailure("part_refused", verdict.detail));
  return step(answer, "part_refused", {
    patch: { ...answeredAttempt(answer), ...failure },
    detail: entryOf(answer),
  });
}

/** Not taken for now: sent again after a while. */
function sendLater(answer: AnswerOf<"throttled">): Change {
  const { order, attempt, verdict, pieces, at } = answer;
  const { throttled, inRow, detail: repeats } = throttledOnceMore(order, attempt.route ?? "", at);
  const waitMs = waitOf(order, inRow, verdict.retryAfterMs);
  // While an answer is missing the number of pieces is remembered: a report of one piece is not a report of all.
  const isRemembered = hasTakenPiece(pieces) || order.ambiguousAt !== null || mayHaveEarlierCall(pieces);
  return step(answer, "again", {
    patch: {
      ...answeredAttempt(answer),
      pieces: isRemembered ? pieces : null,
      facts: { ...order.facts, throttled },
    },
    dueAt: after(at, waitMs),
    // A repeat is counted in the first entry, which keeps its `begun_at`.
    detail:
      "repeat_of" in repeats
        ? { answer: verdict.detail, retry_after_ms: waitMs, ...repeats }
        : entryOf(answer, { retry_after_ms: waitMs }),
  });
}

/** Before a success it was never done; after one the vendor took it back. */
function reverse(answer: AnswerOf<"reversed">): Change {
  const { order, verdict } = answer;
  const failure = withFailure(order, "vendor_failed", explainFailure("vendor_failed", verdict.detail));
  return step(answer, "reversed", {
    patch: { begunAt: null, ...(order.endedAt === null && failure) },
    detail: entryOf(answer),
  });
}

/** What these answers mean whatever is sold, and whatever is known of the attempt. */
export const SHARED = {
  done: finish,
  part_refused: refusePart,
  throttled: sendLater,
  reversed: reverse,
} as const satisfies Partial<Decisions>;
