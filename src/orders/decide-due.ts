import { attemptNeeds, attemptState, isPurchase } from "./attempt.ts";
import { decideMessage } from "./decide-message.ts";
import type { Change, Order, Piece } from "./order.ts";
import { isOpen } from "./pieces.ts";
import { type Failure, messageWaitsOf, type ServiceDefinition, type Stop, validUntilOf } from "./service-definition.ts";
import { type Answer, stepFor } from "./steps.ts";
import { after, transition, withFailure } from "./transition.ts";

/** What a due order needs, and how an order ends that was never sent. Pure, like decide.ts. */

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
  const needs = attemptNeeds(order);
  if (needs === "vendor's word") return { kind: "requery" };
  const may = (answer: Answer) => stepFor(service.table, order.state, answer) !== undefined;
  const isLost = needs === "record of the loss";
  const timeout = service.stateTimeout?.(order.state, order.mode);
  // A state's own time limit is for orders that the vendor took (a chat message that is `sending`). An order whose node died between
  // begin and record is in the same state, and may not have been taken: its loss is recorded first.
  if (may("timed_out") && !(timeout && isLost)) {
    const { code, detail } = timeout?.failure ?? OUTCOME_UNKNOWN;
    const patch = withFailure(order, code, detail);
    return change(transition(service, order, "timed_out", { at: now, patch }));
  }
  if (isLost) return change(recordLoss(service, order, now));
  const validUntil = validUntilOf(service, order);
  const isLate = validUntil !== null && validUntil <= now;
  // The node that began it may have woken since: the vendor is asked before it ends as never sent.
  if (isLate && attemptState(order) === "to_repeat") return { kind: "requery" };
  if (isLate) return change(decideStopped(service, order, expired(service), now));
  const wait = service.beforeSend?.(order, now);
  if (wait && "fail" in wait)
    return change(decideStopped(service, order, unfit({ code: wait.fail, detail: wait.detail }), now));
  if (wait) return change(defer(service, order, wait.deferUntil, now));
  if (may("woken")) return change(transition(service, order, "woken", { at: now, keepLease: true }));
  return { kind: "send" };
}

const change = (made: Change): Due => ({ kind: "change", change: made });

/** A message was begun, and its node ended between the call and the record: it may have been sent. */
function recordLoss(service: ServiceDefinition, order: Order, at: Date): Change {
  const { attempt, route, attemptReference, begunAt } = order;
  return decideMessage({
    service,
    order,
    attempt: { attempt, route, attemptReference },
    callBegunAt: begunAt,
    verdict: { kind: "unknown", detail: "The node that sent it ended before the answer was recorded." },
    pieces: (order.pieces ?? []).map((piece): Piece => (isOpen(piece) ? { ...piece, status: "unanswered" } : piece)),
    references: [],
    moreRoutes: false,
    at,
  });
}

const defer = (service: ServiceDefinition, order: Order, until: Date, at: Date): Change =>
  transition(service, order, "deferred", { at, dueAt: until, detail: { until: until.toISOString() } });

const expired = ({ unsent }: ServiceDefinition): Stop => ({ answer: "expired", ...(unsent ?? VALIDITY_EXPIRED) });

/** The account was suspended before the order was sent. */
export const SUSPENDED: Stop = {
  answer: "suspended",
  code: "account_suspended",
  detail: "The account was suspended when its time came.",
};

/** The service's check before the call forbids sending. */
export const unfit = (why: Failure): Stop => ({ answer: "exhausted", ...why });

/** Not to be sent any more. An order that may have been sent stays open: a purchase's vendor is asked, a message waits for a report. */
export function decideStopped(
  service: ServiceDefinition,
  order: Order,
  { answer, code, detail }: Stop,
  at: Date,
): Change {
  if (attemptState(order) === "new")
    return transition(service, order, answer, { at, patch: withFailure(order, code, detail) });
  if (isPurchase(order))
    return transition(service, order, "unknown", {
      at,
      dueAt: at,
      patch: { ambiguousAt: order.ambiguousAt ?? at },
      detail: { answer: detail },
    });
  const dueAt = after(at, messageWaitsOf(service, order).unknownMs(order, at));
  return transition(service, order, "unknown", { at, dueAt, detail: { answer: detail } });
}
