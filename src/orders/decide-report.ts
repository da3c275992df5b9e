import { explainFailure } from "../kernel/failures.ts";
import type { ProviderReport } from "../ports/provider.ts";
import { isPurchase, NO_PROOF } from "./attempt.ts";
import { beforeFallback } from "./fallback.ts";
import type { Change, Order, Piece } from "./order.ts";
import { messageWaitsOf, type ServiceDefinition } from "./service-definition.ts";
import { isFinal, type Step, stepFor } from "./steps.ts";
import { after, transition, withFailure } from "./transition.ts";

/** Limits an order's timeline: a vendor that repeats a receipt without end must not fill the disk. */
const VERSION_MAX = 500;

/** The piece that a report is about. Null if only the order is known (matched by number, sender and time). */
export interface ReportMatch {
  readonly attempt: number;
  readonly piece: number | null;
}

/** A report, and the order that it is about. */
interface Reported {
  readonly service: ServiceDefinition;
  readonly order: Order;
  readonly report: ProviderReport;
  readonly match: ReportMatch;
  readonly at: Date;
}

/** What a vendor's report makes of the order; undefined if it adds nothing and the timeline is full. */
export function decideReport(
  service: ServiceDefinition,
  order: Order,
  report: ProviderReport,
  match: ReportMatch,
  at: Date,
): Change | undefined {
  const reported = { service, order, report, match, at };
  const givenUp = beforeFallback(order, match.attempt);
  if (!givenUp) return decideStatus(reported);
  // The fallback was used on proof that this attempt was not delivered: of its reports, only a delivery counts.
  const delivered = decideStatus({ ...reported, order: reopened(givenUp) });
  const counts = delivered?.money === "post" || delivered?.money === "loss";
  const change = counts ? delivered : decideStatus({ ...reported, match: NO_ATTEMPT });
  return change && { ...change, detail: { ...change.detail, first_way: true } };
}

/** Earlier reports were proof enough to use the fallback, but they do not outweigh a report that it was delivered. */
const reopened = (givenUp: Order): Order => ({
  ...givenUp,
  pieces: givenUp.pieces?.map((piece) => ({ ...piece, status: "taken" })) ?? null,
});

/** The report is kept in the timeline only. */
const NO_ATTEMPT: ReportMatch = { attempt: Number.POSITIVE_INFINITY, piece: null };

function decideStatus(reported: Reported): Change | undefined {
  const { service, order } = reported;
  const pieces = reportedPieces(reported);
  const status = orderStatus(reported, pieces);
  const step = status === undefined ? undefined : stepFor(service.table, order.state, `report:${status}`);
  if (step?.money === "void" && mayEarlierBeDelivered(order)) return waitForEarlier(reported, pieces);
  if (step && status !== undefined) return takeStep(reported, pieces, status, step);
  const isNew = pieces?.some((piece, index) => piece.status !== order.pieces?.[index]?.status);
  return isNew || order.version < VERSION_MAX ? note(reported, pieces) : undefined;
}

/** The order's status by its pieces, or by the report if that is about the whole order; undefined if the report does not decide it. */
function orderStatus(reported: Reported, pieces: readonly Piece[] | undefined): string | undefined {
  if (pieces) return reported.service.reports.join(pieces.map((piece) => piece.status));
  return isAboutOrder(reported) ? reported.report.status : undefined;
}

/** The report decides the order. */
function takeStep(reported: Reported, pieces: readonly Piece[] | undefined, status: string, step: Step): Change {
  const { service, order, report, at } = reported;
  const failure = report.code ?? service.reports.failure(status);
  const patch = { ...learned(reported, pieces), begunAt: null };
  const isLate = isFinal(service.table, order.state) && step.money !== undefined;
  return transition(service, order, `report:${status}`, {
    at,
    patch: failure
      ? { ...patch, ...withFailure({ ...order, ...patch }, failure, explainFailure(failure, report.detail)) }
      : patch,
    detail: entryOf(reported, isLate),
  });
}

/** The report is kept in the timeline, with what it adds. It neither ends the sending node's lease nor changes when the order is due. */
const note = (reported: Reported, pieces: readonly Piece[] | undefined): Change => {
  const { service, order, at } = reported;
  return transition(service, order, undefined, {
    at,
    patch: learned(reported, pieces),
    detail: entryOf(reported, isFinal(service.table, order.state)),
    keepLease: true,
  });
};

/** The current attempt failed, and an earlier one may still be delivered: its report is awaited. */
function waitForEarlier({ service, order, report, at }: Reported, pieces: readonly Piece[] | undefined): Change {
  return transition(service, order, "unknown", {
    at,
    patch: { begunAt: null, ...(pieces && { pieces }) },
    dueAt: after(at, messageWaitsOf(service, order).unknownMs(order, at)),
    detail: wordsOf(report),
  });
}

/** What the report adds to the order. */
function learned({ order, report }: Reported, pieces: readonly Piece[] | undefined) {
  const facts = { ...order.facts, ...report.facts };
  return {
    // A vendor that reports on it has it: an earlier `not_found` or failure proves nothing.
    ...(pieces && { pieces, ...NO_PROOF }),
    facts: Object.keys(facts).length === 0 ? null : facts,
  };
}

/** The timeline's entry. `isLate`: the order had ended before. */
const entryOf = ({ report, match }: Reported, isLate: boolean) => ({
  ...wordsOf(report),
  ...(match.piece !== null && { piece: match.piece }),
  ...(isLate && { late: true }),
});

const wordsOf = (report: ProviderReport) => ({
  report: report.status,
  ...(report.detail && { answer: report.detail }),
  vendor_at: report.at.toISOString(),
});

/** The report is about the current attempt; an earlier one, whose answer was lost, may still be delivered. */
function mayEarlierBeDelivered({ ambiguity, ambiguousAt, attempt, tries, pieces }: Order): boolean {
  const isOwnLost = pieces?.[0]?.status === "unanswered";
  return ambiguity === "retry" && ambiguousAt !== null && attempt > 1 && tries > (isOwnLost ? 1 : 0);
}

/**
 * Whether a report whose piece is not known is about the whole order: only if the order certainly has a single piece (a purchase
 * always has), and never for an attempt that is not recorded yet. A failure of an earlier attempt says nothing about the current one.
 */
function isAboutOrder({ service, order, report, match: { attempt } }: Reported): boolean {
  const isSingle = order.pieces === null ? isPurchase(order) : order.pieces.length === 1;
  if (!isSingle || attempt > order.attempt) return false;
  return attempt === order.attempt || service.reports.failure(report.status) === undefined;
}

/** The pieces after the report; a piece's final status stays. Undefined if the report is about an older attempt. */
function reportedPieces({ service, order, report, match }: Reported): readonly Piece[] | undefined {
  if (match.attempt !== order.attempt || match.piece === null || !order.pieces?.[match.piece]) return undefined;
  return order.pieces.map((piece, index) => {
    const same =
      index === match.piece || (report.providerReference !== undefined && piece.reference === report.providerReference);
    if (!same || service.reports.final.has(piece.status)) return piece;
    const reference = piece.reference ?? report.providerReference;
    return { status: report.status, ...(reference === undefined ? {} : { reference }) };
  });
}
