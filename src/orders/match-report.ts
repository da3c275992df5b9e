import { addressKey, isSameAddress, isSubscriber } from "../kernel/address.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { correlationOf, type ProviderReport } from "../ports/provider.ts";
import type { ReportMatch } from "./decide-report.ts";
import { beforeFallback } from "./fallback.ts";
import { isHidden, mayBe } from "./hidden-recipient.ts";
import type { LearnedReference, Order } from "./order.ts";

/** Which order a vendor's report is about. Pure. Without certainty the answer is none: a report must never go to the wrong order. */

export interface Arrived {
  readonly route: string;
  readonly report: ProviderReport;
}

export interface Matched extends Arrived {
  readonly order: Order;
  readonly match: ReportMatch;
  /** Set when the reference was learned from the report itself. */
  readonly learned?: LearnedReference;
}

/** An order whose vendor reference is the report's. */
export interface Named {
  readonly order: Order;
  readonly attempt: number;
  readonly piece: number;
}

/** A report that echoes our reference of an attempt is about that attempt; the vendor's own reference is learned from it. */
export function matchOurs({ route, report }: Arrived, order: Order, attempt: number): Matched {
  const { attempt: present, pieces } = beforeFallback(order, attempt) ?? order;
  const piece = attempt === present ? pieces?.[0] : undefined;
  const reference = report.providerReference;
  const isNews = reference !== undefined && piece !== undefined && piece.reference === undefined;
  return {
    route,
    report,
    order,
    match: { attempt, piece: piece ? 0 : null },
    ...(isNews && { learned: { route, reference, attempt, piece: 0 } }),
  };
}

/**
 * The order that is meant, among those with the report's reference, newest first: vendors reuse references. Never one to another
 * recipient, nor one made after the report. Of several it is the one whose correlation is echoed, or else the newest open one, if all
 * open ones belong to one account.
 */
export function chooseNamed(
  report: ProviderReport,
  named: readonly Named[],
  senderOf: SenderOf = payloadSender,
): Named | undefined {
  const possible = named.filter(
    ({ order }) =>
      !isToAnother(order, report, senderOf) && report.at.getTime() > order.createdAt.getTime() - VENDOR_CLOCK_SLACK_MS,
  );
  if (possible.length <= 1) return possible[0];
  const exact = possible.filter(({ order }) => isTo(order, report));
  const fitting = exact.length > 0 ? exact : possible;
  const echoed = fitting.find(
    ({ order, attempt, piece }) => correlationOf(order.id, attempt, piece) === report.correlation,
  );
  if (echoed || fitting.length === 1) return echoed ?? fitting[0];
  const waiting = fitting.filter(({ order }) => order.endedAt === null);
  if (waiting.length === 0) return fitting[0];
  return new Set(waiting.map(({ order }) => order.accountId)).size === 1 ? waiting[0] : undefined;
}

/**
 * The report's recipient, in the form that orders have. Some vendors swap the two addresses: if the recipient is a name or a short
 * code, the number in the other address is meant.
 */
export const recipientOf = ({ recipient, sender }: ProviderReport): string | undefined => {
  const address = [recipient, sender].find((one) => one !== undefined && isSubscriber(one));
  return address === undefined ? undefined : addressKey(address);
};

const isTo = (order: Order, { recipient, sender }: ProviderReport): boolean =>
  [recipient, sender].some((address) => address !== undefined && isSameAddress(address, order.recipient));

/**
 * Whether the report is certainly about another number, by the last ten digits, whatever prefix a vendor writes. A masked number, a
 * name and a short code prove nothing.
 */
function isToAnother(order: Order, report: ProviderReport, senderOf: SenderOf): boolean {
  const ours = ownDigits(order.recipient);
  const theirs = ownDigits(report.recipient);
  if (ours === undefined || theirs === undefined || ours === theirs) return false;
  return !(ownDigits(report.sender) === ours && ownDigits(senderOf(order)) === theirs);
}

const ownDigits = (address: string | undefined): string | undefined =>
  address !== undefined && isSubscriber(address) ? addressKey(address).slice(-10) : undefined;

/** Minimum age of a report to be matched by number, sender and time: before, the record of its own order may be pending. */
const GUESS_AFTER_MS = 60_000;
/** Receipts have minute resolution at best, by the vendor's clock. */
const CLOCK_SLACK_MS = 120_000;
/** A vendor's clock may be in another zone. */
const VENDOR_CLOCK_SLACK_MS = DAY_MS;

/** Whether only the echoed correlation can identify the report's order. */
export const isByCorrelationAlone = ({ correlation, recipient }: ProviderReport): boolean =>
  correlation !== undefined && isHidden(recipient);

/**
 * The order of a receipt whose reference is unknown: the one with the echoed correlation, or, if the vendor echoes none, the only one
 * to that number from that sender at that time. If the receipt's number is hidden, the only order of the route with its correlation;
 * `orders` must then contain all of those.
 */
export function guessAmbiguous(
  { route, report }: Arrived,
  orders: readonly Order[],
  now: Date,
  senderOf: SenderOf = payloadSender,
): Matched | undefined {
  const ofRoute = orders.filter((order) => order.route === route);
  const candidates = ofRoute.filter((order) => order.recipient === recipientOf(report));
  const learn = (order: Order, { attempt, piece }: Place): Matched => ({
    route,
    report,
    order,
    match: { attempt, piece: order.pieces?.[piece] ? piece : null },
    ...(report.providerReference === undefined
      ? {}
      : { learned: { route, reference: report.providerReference, attempt, piece } }),
  });
  if (report.correlation !== undefined) {
    const exact = withPlace(candidates, report.correlation)[0];
    if (exact) return learn(exact.order, exact.place);
    if (!isHidden(report.recipient)) return undefined;
    const inTime = ofRoute.filter((order) => isInTime(order, report));
    const [only, ...others] = withPlace(inTime, report.correlation);
    if (!only || others.length > 0 || !mayBe(report.recipient, only.order.recipient)) return undefined;
    // A piece whose reference is known gets its reports by that.
    const isNews = only.order.pieces?.[only.place.piece]?.reference === undefined;
    return isNews ? learn(only.order, only.place) : undefined;
  }
  if (report.providerReference !== undefined && now.getTime() - report.at.getTime() < GUESS_AFTER_MS) return undefined;
  const fitting = candidates.filter(
    (order) =>
      // An order that ended, with its money back, is matched by its echoed correlation only.
      order.endedAt === null &&
      !hasAllReferences(order) &&
      isFromSender(order, report, senderOf) &&
      isInTime(order, report),
  );
  const [only, ...others] = fitting;
  return only && others.length === 0 && (only.pieces?.length ?? 1) <= 1
    ? learn(only, { attempt: only.attempt, piece: 0 })
    : undefined;
}

interface Place {
  readonly attempt: number;
  readonly piece: number;
}

/** The orders that have a piece with that correlation, each once, with the latest such attempt. */
function withPlace(
  orders: readonly Order[],
  correlation: number,
): readonly { readonly order: Order; readonly place: Place }[] {
  const distinct = [...new Map(orders.map((order) => [order.id, order])).values()];
  return distinct.flatMap((order) => {
    const place = placeOf(order, correlation);
    return place ? [{ order, place }] : [];
  });
}

function placeOf(order: Order, correlation: number): Place | undefined {
  for (let attempt = order.attempt; attempt >= 1; attempt--)
    for (let piece = 0; piece < Math.max(order.pieces?.length ?? 0, 1); piece++)
      if (correlationOf(order.id, attempt, piece) === correlation) return { attempt, piece };
  return undefined;
}

const isInTime = (order: Order, report: ProviderReport): boolean =>
  report.at >= new Date(order.createdAt.getTime() - CLOCK_SLACK_MS);

/** Whether the report's other address is the order's sender; a report without one matches any. */
function isFromSender(order: Order, { recipient, sender }: ProviderReport, senderOf: SenderOf): boolean {
  const ours = senderOf(order);
  if (sender === undefined) return true;
  return (
    ours !== undefined && [sender, recipient].some((address) => address !== undefined && isSameAddress(address, ours))
  );
}

/** Every piece that was ever sent has its vendor's reference: a report with another one is about another order. */
const hasAllReferences = (order: Order): boolean =>
  order.tries === 0 && order.pieces !== null && order.pieces.every((piece) => piece.reference !== undefined);

/** The sender that the recipient of an order sees. */
export type SenderOf = (order: Order) => string | undefined;

export const payloadSender: SenderOf = ({ payload }) => {
  return typeof payload === "object" && payload !== null && "from" in payload && typeof payload.from === "string"
    ? payload.from
    : undefined;
};
