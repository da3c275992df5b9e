import { addressKey, isSameAddress, isSubscriber } from "../kernel/address.ts";
import { correlationOf, type ProviderReport } from "../ports/provider.ts";
import type { ReportMatch } from "./decide-report.ts";
import { onFirstWay } from "./fallback.ts";
import { isHidden, mayBe } from "./hidden-recipient.ts";
import type { LearnedReference, Order } from "./order.ts";

/** Which order a vendor's report is about. Pure; where nothing is certain the answer is "none": it must never be another's. */

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

/** An order to which the vendor gave the report's reference. */
export interface Named {
  readonly order: Order;
  readonly attempt: number;
  readonly piece: number;
}

/** A report that echoes our reference of the attempt is about that attempt; the vendor's own name for it is learned from it. */
export function matchOurs({ route, report }: Arrived, order: Order, attempt: number): Matched {
  const { attempt: present, pieces } = onFirstWay(order, attempt) ?? order;
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
 * The one that is meant among the orders with the report's reference, newest first: vendors give references out again. One to
 * another recipient, or made after the report, never is; of several it is the one whose correlation is echoed, or the newest
 * that still waits for its last word, if all that wait are one account's.
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
 * Whom a report is about, in the form that orders have. Some vendors leave the two addresses as the message had them: where a
 * name or a short code stands in the recipient's place, the number in the other one is meant.
 */
export const recipientOf = ({ recipient, sender }: ProviderReport): string | undefined => {
  const address = [recipient, sender].find((one) => one !== undefined && isSubscriber(one));
  return address === undefined ? undefined : addressKey(address);
};

const isTo = (order: Order, { recipient, sender }: ProviderReport): boolean =>
  [recipient, sender].some((address) => address !== undefined && isSameAddress(address, order.recipient));

/**
 * Whether the report is proven to be about another number. The last ten digits decide here, whatever a vendor writes before
 * them; a number that is masked, a name and a short code prove nothing.
 */
function isToAnother(order: Order, report: ProviderReport, senderOf: SenderOf): boolean {
  const ours = ownDigits(order.recipient);
  const theirs = ownDigits(report.recipient);
  if (ours === undefined || theirs === undefined || ours === theirs) return false;
  return !(ownDigits(report.sender) === ours && ownDigits(senderOf(order)) === theirs);
}

const ownDigits = (address: string | undefined): string | undefined =>
  address !== undefined && isSubscriber(address) ? addressKey(address).slice(-10) : undefined;

/** How old a report must be before number, sender and time are enough: until then its own order may be on its way to the record. */
const GUESS_AFTER_MS = 60_000;
/** Receipts carry minutes at best, by the vendor's clock. */
const CLOCK_SLACK_MS = 120_000;
/** A vendor's clock may be in another zone. */
const VENDOR_CLOCK_SLACK_MS = 86_400_000;

/** Whether the correlation that a report echoes is all that can find its order. */
export const isByCorrelationAlone = ({ correlation, recipient }: ProviderReport): boolean =>
  correlation !== undefined && isHidden(recipient);

/**
 * The order that a receipt with an unknown reference belongs to: the one whose piece has the echoed correlation, or, where
 * the vendor echoes none, the only one to that number from that sender within its time. A receipt whose number is hidden is about
 * the only order of the route that has its correlation; `orders` must then have all of those.
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
    // What has its name by now gets its reports under that.
    const isNews = only.order.pieces?.[only.place.piece]?.reference === undefined;
    return isNews ? learn(only.order, only.place) : undefined;
  }
  if (report.providerReference !== undefined && now.getTime() - report.at.getTime() < GUESS_AFTER_MS) return undefined;
  const fitting = candidates.filter(
    (order) =>
      // What has ended, with its money back, is found by what it echoes alone.
      order.endedAt === null && !isNamed(order) && isFromSender(order, report, senderOf) && isInTime(order, report),
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

/** The orders of which a piece has that correlation, each once, with the latest attempt at it. */
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

/** Its sender is the report's other address; a report without one speaks of any. */
function isFromSender(order: Order, { recipient, sender }: ProviderReport, senderOf: SenderOf): boolean {
  const ours = senderOf(order);
  if (sender === undefined) return true;
  return (
    ours !== undefined && [sender, recipient].some((address) => address !== undefined && isSameAddress(address, ours))
  );
}

/** All that was ever sent of it has a reference by now: a report with another one is not its own. */
const isNamed = (order: Order): boolean =>
  order.tries === 0 && order.pieces !== null && order.pieces.every((piece) => piece.reference !== undefined);

/** Whom the recipient of an order sees as its sender. */
export type SenderOf = (order: Order) => string | undefined;

export const payloadSender: SenderOf = ({ payload }) => {
  return typeof payload === "object" && payload !== null && "from" in payload && typeof payload.from === "string"
    ? payload.from
    : undefined;
};
