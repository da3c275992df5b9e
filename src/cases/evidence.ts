import { koboToNaira } from "../kernel/kobo.ts";
import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import type { Evidence } from "./case.ts";
import type { Attempt } from "./cases.repo.ts";

/** Enough to see how it went; the whole is in `./afara orders show`. */
const ANSWERS_MAX = 10;
const ATTEMPTS_MAX = 20;

/** What whoever asks the vendor about an order must know: by which references it was asked for, and what was answered. */
export const evidenceOf = (order: Order, attempts: readonly Attempt[], timeline: readonly TimelineRow[]): Evidence => ({
  service: order.service,
  mode: order.mode,
  state: order.state,
  recipient: order.recipient,
  price: koboToNaira(order.priceKobo),
  route: order.route,
  reference: order.attemptReference,
  ...(order.pieces?.[0]?.reference !== undefined && { vendor_reference: order.pieces[0].reference }),
  attempts: attempts.slice(-ATTEMPTS_MAX).map(({ attempt, route, reference, begunAt }) => ({
    attempt,
    route,
    reference,
    begun_at: begunAt.toISOString(),
  })),
  tries: order.tries,
  created_at: order.createdAt.toISOString(),
  last_answers: timeline
    .flatMap(({ at, status, detail }) => {
      // Of what it has taken and not ended a vendor gives no words.
      const taken = order.endedAt === null && detail?.begun_at !== undefined ? "taken; no end is told" : undefined;
      const said = detail && (detail.answer ?? detail.requery ?? detail.late_answer ?? taken);
      return typeof said === "string" ? [{ at: at.toISOString(), status, said }] : [];
    })
    .slice(-ANSWERS_MAX),
});
