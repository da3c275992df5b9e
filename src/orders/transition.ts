import type { FailureCode } from "../kernel/failures.ts";
import { factsAfterFallback, NOT_SENT_YET } from "./fallback.ts";
import type { Change, LearnedReference, Order } from "./order.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { type Answer, isFinal, stepFor } from "./steps.ts";

/** The one place where an order takes a step of its service's table. */

export interface Extra {
  readonly at: Date;
  readonly patch?: Partial<Order>;
  readonly dueAt?: Date | null;
  readonly keepLease?: boolean;
  /** It ends with this answer, even if the service has a fallback. */
  readonly isLast?: boolean;
  /** Due even in a final state. */
  readonly askOn?: boolean;
  readonly needs?: Change["needs"];
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly references?: readonly LearnedReference[];
}

/** Takes the table's step for the answer. Without one the state stays, and only the timeline gets an entry. */
export function transition(service: ServiceDefinition, order: Order, answer: Answer | undefined, extra: Extra): Change {
  const step = answer && stepFor(service.table, order.state, answer);
  const state = step?.to ?? order.state;
  if (step?.money === "void" && answer && !extra.isLast && service.fallsBack?.(order, answer, extra.at))
    return fallBack(service, order, extra);
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

/** The order goes on by its fallback as if it had never been sent, under its next attempt. */
function fallBack(service: ServiceDefinition, order: Order, extra: Extra): Change {
  const facts = factsAfterFallback({ ...order, ...extra.patch }, extra.at);
  return transition(service, order, "fallback", {
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

export const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
