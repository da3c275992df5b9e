import { explainFailure } from "../kernel/failures.ts";
import type { ProviderReport } from "../ports/provider.ts";
import { isPurchase } from "./attempt.ts";
import { onFirstWay } from "./fallback.ts";
import type { Change, Order, Piece } from "./order.ts";
import { messageWaitsOf, type ServiceDefinition } from "./service-definition.ts";
import { isFinal, stepFor } from "./steps.ts";
import { after, transition } from "./transition.ts";

/** Limits an order's timeline: a vendor that repeats a receipt without end must not fill the disk. */
const VERSION_MAX = 500;

/** The piece that a report is about. Null if only the order is known (matched by number, sender and time). */
export interface ReportMatch {
  readonly attempt: number;
  readonly piece: number | null;
}

/** What a vendor's report makes of the order; undefined if it says nothing new and the timeline is full. */
export function decideReport(
  service: ServiceDefinition,
  order: Order,
  report: ProviderReport,
  match: ReportMatch,
  at: Date,
): Change | undefined {
  const first = onFirstWay(order, match.attempt);
  if (!first) return decideWord(service, order, report, match, at);
  // The fallback was used on proof that the first route did not deliver: of that, only a delivery counts.
  const done = decideWord(service, reopened(first), report, match, at);
  const change =
    done?.money === "post" || done?.money === "loss" ? done : decideWord(service, order, report, NO_ATTEMPT, at);
  return change && { ...change, detail: { ...change.detail, first_way: true } };
}

/** Earlier reports were proof enough to use the fallback, but they do not outweigh a report that it was delivered. */
const reopened = (first: Order): Order => ({
  ...first,
  pieces: first.pieces?.map((piece) => ({ ...piece, status: "taken" })) ?? null,
});

/** The report is kept in the timeline only. */
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
    : isAboutOrder(service, order, report, match)
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
      // A vendor that reports on it has it: an earlier `not_found` proves nothing.
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
    // A report that changes nothing must not end the sending node's lease, nor change when the order is due.
    keepLease: step === undefined,
  });
}

/** The report is about the current attempt; an earlier one, whose answer was lost, may still be delivered. */
function mayEarlierBeDelivered({ ambiguity, ambiguousAt, attempt, tries, pieces }: Order): boolean {
  const isOwnLost = pieces?.[0]?.status === "unanswered";
  return ambiguity === "retry" && ambiguousAt !== null && attempt > 1 && tries > (isOwnLost ? 1 : 0);
}

/**
 * Whether a report whose piece is not known is about the whole order: only if the order certainly has a single piece (a purchase
 * always has), and never for an attempt that is not recorded yet. A failure of an earlier attempt says nothing about the current one.
 */
function isAboutOrder(
  service: ServiceDefinition,
  order: Order,
  report: ProviderReport,
  { attempt }: ReportMatch,
): boolean {
  const isSingle = order.pieces === null ? isPurchase(order) : order.pieces.length === 1;
  if (!isSingle || attempt > order.attempt) return false;
  return attempt === order.attempt || service.reports.failure(report.status) === undefined;
}

/** The pieces after the report; a piece's final status stays. Undefined if the report is about an older attempt. */
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
