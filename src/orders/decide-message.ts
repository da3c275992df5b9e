import { type AttemptState, attemptState, inEveryState } from "./attempt.ts";
import {
  type AnswerOf,
  type AttemptAnswer,
  answeredAttempt,
  type Decision,
  type Decisions,
  endNotDone,
  entryOf,
  goToNextRoute,
  learnedFacts,
  SHARED,
  step,
  triedAfter,
} from "./attempt-answer.ts";
import type { Change } from "./order.ts";
import { isUnnamed } from "./pieces.ts";
import { messageWaitsOf } from "./service-definition.ts";
import { stepFor } from "./steps.ts";
import { after } from "./transition.ts";

/**
 * What a vendor's answer makes of a message. Nobody can be asked about a message: after a lost answer it is either sent again, where
 * a repeat is allowed (`ambiguity` `retry`), or waits for a report. After one lost answer a refusal proves nothing, because the
 * vendor may have taken the earlier attempt.
 */
export const decideMessage = (answer: AttemptAnswer): Change => {
  const decide = MESSAGE[answer.verdict.kind][attemptState(answer.order)] as Decision<typeof answer.verdict.kind>;
  return decide(answer);
};

/** Accepted. If the vendor gave no reference, the report is looked for as after a lost answer. */
function accept(answer: AnswerOf<"accepted">): Change {
  const { order, verdict, pieces, at } = answer;
  return step(answer, verdict.incomplete ? "incomplete" : "accepted", {
    patch: {
      ...answeredAttempt(answer),
      ambiguousAt: order.ambiguousAt ?? (pieces.some(isUnnamed) ? at : null),
      ...learnedFacts(order, verdict),
    },
    dueAt: null,
    detail: entryOf(answer),
  });
}

/** Certainly not sent: the next route gets it, or it ends. */
function refuseOrGoOn(answer: AnswerOf<"rejected">): Change {
  const { service, order, verdict, moreRoutes } = answer;
  const mayGoOn = verdict.scope === "route" && moreRoutes && stepFor(service.table, order.state, "again") !== undefined;
  return mayGoOn ? goToNextRoute(answer) : endNotDone(answer);
}

/** An earlier attempt may have been taken: no other route gets it, and the hold stays until a report or the end of the wait. */
function waitDespiteRefusal(answer: AnswerOf<"rejected">): Change {
  const { service, order, at } = answer;
  return step(answer, "unknown", {
    patch: { ...answeredAttempt(answer), tried: triedAfter(answer) },
    dueAt: after(at, messageWaitsOf(service, order).unknownMs(order, at)),
    detail: entryOf(answer),
  });
}

/** The answer was lost: sent again if a repeat is allowed and tries are left; otherwise a report is awaited. */
function retryOrWait(answer: AnswerOf<"unknown" | "not_found">): Change {
  const { service, order, verdict, at } = answer;
  const waits = messageWaitsOf(service, order);
  const tries = order.tries + 1;
  const patch = {
    ...answeredAttempt(answer),
    ambiguousAt: order.ambiguousAt ?? at,
    tries,
    ...(verdict.kind === "unknown" && learnedFacts(order, verdict)),
  };
  if (order.ambiguity === "retry" && order.tries < waits.retriesMax)
    return step(answer, "again", {
      patch,
      dueAt: after(at, waits.retryMs ?? 0),
      detail: entryOf(answer, { lost_answers: tries }),
    });
  return step(answer, "unknown", { patch, dueAt: after(at, waits.unknownMs(order, at)), detail: entryOf(answer) });
}

/** Answer × state of the attempt. */
const MESSAGE: { readonly [Kind in keyof Decisions]: Readonly<Record<AttemptState, Decision<Kind>>> } = {
  accepted: inEveryState(accept),
  done: inEveryState(SHARED.done),
  part_refused: inEveryState(SHARED.part_refused),
  throttled: inEveryState(SHARED.throttled),
  rejected: { ...inEveryState(refuseOrGoOn), unanswered: waitDespiteRefusal, repeated: waitDespiteRefusal },
  unknown: inEveryState(retryOrWait),
  not_found: inEveryState(retryOrWait),
  reversed: inEveryState(SHARED.reversed),
};
