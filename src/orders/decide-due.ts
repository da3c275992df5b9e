import { after, decideVerdict, hasTakenPiece, transition, validUntilOf, withFailure } from "./decide.ts";
import type { Change, Order, Piece } from "./order.ts";
import { isOpen, isUnheard, type Verdict } from "./pieces.ts";
import type { Failure, ServiceDefinition } from "./service-definition.ts";
import { type Answer, isFinal, stepFor } from "./steps.ts";

/** What time makes of an order: what is to be done when it is due, and how it ends without having left. Pure, like decide.ts. */

const VALIDITY_EXPIRED: Failure = {
  code: "validity_expired",
  detail: "The validity time ran out before it could be sent.",
};

const OUTCOME_UNKNOWN: Failure = {
  code: "outcome_unknown",
  detail: "The vendor's answer was lost and no report came in time.",
};

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

  // A final order is due only because its vendor hinted at something new.
  const isHinted = order.ambiguity === "requery" && isFinal(table, order.state);
  if (isHinted || isAskedAfter(order)) return { kind: "requery" };
  const timeout = service.stateTimeout?.(order.state, order.mode);
  if (may("timed_out") && !(timeout && begun)) {
    const { code, detail } = timeout?.failure ?? OUTCOME_UNKNOWN;
    const patch = withFailure(order, code, detail);
    return { kind: "change", change: transition(service, order, "timed_out", { at: now, patch }) };
  }
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
  const validUntil = validUntilOf(service, order);
  const isLate = validUntil !== null && validUntil <= now;
  // The node that began it may have woken since: before it ends as never sent its vendor's books have the word.
  if (isLate && isUnheard(order.pieces)) return { kind: "requery" };
  if (isLate) return giveUp("expired", service.unsent ?? VALIDITY_EXPIRED);
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
  if (isUnheard(order.pieces))
    return transition(service, order, "unknown", {
      at,
      dueAt: at,
      patch: { ambiguousAt: at },
      detail: { answer: detail },
    });
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

/** Of such an order the vendor is asked, before anything else is done, until it is proven done or not done. */
export const isAskedAfter = (order: Order): boolean =>
  order.ambiguity === "requery" && (order.begunAt !== null || mayHaveLeft(order));

/** Whether a vendor may have any of it. */
const mayHaveLeft = (order: Order): boolean => order.ambiguousAt !== null || hasTakenPiece(order);
