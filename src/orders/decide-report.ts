import { explainFailure } from "../kernel/failures.ts";
import type { ProviderReport } from "../ports/provider.ts";
import { isPurchase } from "./attempt.ts";
import { onFirstWay } from "./fallback.ts";
import type { Change, Order, Piece } from "./order.ts";
import { messageWaitsOf, type ServiceDefinition } from "./service-definition.ts";
import { isFinal, stepFor } from "./steps.ts";
import { after, transition } from "./transition.ts";

/** Timeline entries of one order are bounded: a vendor that repeats a receipt for ever must not fill the disk. */
const VERSION_MAX = 500;

/** Which piece a report speaks of. Null when only the order is known (matched by number, sender and time). */
export interface ReportMatch {
  readonly attempt: number;
  readonly piece: number | null;
}

/** What a vendor's later word makes of the order; undefined when it says nothing new and its timeline is full. */
export function decideReport(
  service: ServiceDefinition,
  order: Order,
  report: ProviderReport,
  match: ReportMatch,
  at: Date,
): Change | undefined {
  const first = onFirstWay(order, match.attempt);
  if (!first) return decideWord(service, order, report, match, at);
  // It went on another way on proof that nothing came of this one: only that it was done after all is news.
  const done = decideWord(service, reopened(first), report, match, at);
  const change =
    done?.money === "post" || done?.money === "loss" ? done : decideWord(service, order, report, NO_ATTEMPT, at);
  return change && { ...change, detail: { ...change.detail, first_way: true } };
}

/** What was reported of it was proof enough to leave it, and no proof against the vendor's own word that it was done. */
const reopened = (first: Order): Order => ({
  ...first,
  pieces: first.pieces?.map((piece) => ({ ...piece, status: "taken" })) ?? null,
});

/** A word that is kept in the timeline alone. */
const NO_ATTEMPT: ReportMatch = { attempt: Number.POSITIVE_INFINITY, piece: null };

function decideWord(
  service: ServiceDefinition,
  order: Order,
  report: ProviderReport,
  match: ReportMatch,
  at: Date,
): Change | undefined {
  const pieces = reportedPieces(service, order, report, match);
  const word = pieces
    ? service.reports.join(pieces.map((piece) => piece.status))
    : speaksForOrder(service, order, report, match)
      ? report.status
      : undefined;
  const final = isFinal(service.table, order.state);
  const step = word === undefined ? undefined : stepFor(service.table, order.state, `report:${word}`);
  const isNew = step !== undefined || pieces?.some((piece, index) => piece.status !== order.pieces?.[index]?.status);
  if (!isNew && order.version >= VERSION_MAX) return undefined;
  if (step?.money === "void" && mayEarlierBeDelivered(order))
    return transition(service, order, "unknown", {
      at,
      patch: { begunAt: null, ...(pieces && { pieces }) },
      dueAt: after(at, messageWaitsOf(service, order).unknownMs(order, at)),
      detail: {
        report: report.status,
        ...(report.detail && { answer: report.detail }),
        vendor_at: report.at.toISOString(),
      },
    });
  const failure = word === undefined || !step ? undefined : (report.code ?? service.reports.failure(word));
  const facts = { ...order.facts, ...report.facts };
  return transition(service, order, step && `report:${word}`, {
    at,
    patch: {
      // Whoever reports of it has it: that it was not found before proves nothing.
      ...(pieces ? { pieces, notFoundAt: null } : {}),
      ...(step ? { begunAt: null } : {}),
      facts:
        failure && step
          ? { ...facts, failure: { code: failure, detail: explainFailure(failure, report.detail) } }
          : Object.keys(facts).length === 0
            ? null
            : facts,
    },
    detail: {
      report: report.status,
      ...(match.piece === null ? {} : { piece: match.piece }),
      ...(report.detail ? { answer: report.detail } : {}),
      ...(final && (!step || step.money) ? { late: true } : {}),
      vendor_at: report.at.toISOString(),
    },
    // A word that changes nothing must not take the lease of the node that is sending, nor the order's place in the queue.
    keepLease: step === undefined,
  });
}

/** The report is about the current attempt; an earlier one, whose answer was lost, may still be delivered. */
function mayEarlierBeDelivered({ ambiguity, ambiguousAt, attempt, tries, pieces }: Order): boolean {
  const isOwnLost = pieces?.[0]?.status === "unanswered";
  return ambiguity === "retry" && ambiguousAt !== null && attempt > 1 && tries > (isOwnLost ? 1 : 0);
}

/**
 * Whether a report of an attempt whose pieces are not known is the word on the whole order. Only if the order is a single
 * piece for certain (a purchase always is), and never about an attempt that is not recorded yet. That an earlier attempt
 * failed says nothing about the present one.
 */
function speaksForOrder(
  service: ServiceDefinition,
  order: Order,
  report: ProviderReport,
  { attempt }: ReportMatch,
): boolean {
  const isSingle = order.pieces === null ? isPurchase(order) : order.pieces.length === 1;
  if (!isSingle || attempt > order.attempt) return false;
  return attempt === order.attempt || service.reports.failure(report.status) === undefined;
}

/** The pieces after the report: a piece's final word stays. Undefined when the report is of an older attempt. */
function reportedPieces(
  service: ServiceDefinition,
  order: Order,
  report: ProviderReport,
  match: ReportMatch,
): readonly Piece[] | undefined {
  if (match.attempt !== order.attempt || match.piece === null || !order.pieces?.[match.piece]) return undefined;
  return order.pieces.map((piece, index) => {
    const same =
      index === match.piece || (report.providerReference !== undefined && piece.reference === report.providerReference);
    if (!same || service.reports.final.has(piece.status)) return piece;
    const reference = piece.reference ?? report.providerReference;
    return { status: report.status, ...(reference === undefined ? {} : { reference }) };
  });
}
