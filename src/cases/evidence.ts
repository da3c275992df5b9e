import { koboToNaira } from "../kernel/kobo.ts";
import { isAnswerEntry } from "../orders/answer-entry.ts";
import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import type { Evidence } from "./case.ts";
import type { Attempt } from "./cases.repo.ts";

/** A summary; `./afara orders show` has the whole timeline. */
const ANSWERS_MAX = 10;
const ATTEMPTS_MAX = 20;

/** The facts for asking the vendor about an order: our references and its answers. */
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
      const wordless = isAnswerEntry(detail) ? saidWithoutWords(order, status) : undefined;
      const said = detail && (detail.answer ?? detail.requery ?? detail.late_answer ?? detail.report ?? wordless);
      return typeof said === "string" ? [{ at: at.toISOString(), status, said }] : [];
    })
    .slice(-ANSWERS_MAX),
});

/** Of what it has taken and not ended, and of what it delivered after the money had gone back, a vendor gives no words. */
function saidWithoutWords({ endedAt }: Order, status: string): string | undefined {
  if (status === "failed") return "delivered, after the money had gone back";
  if (status === "token_pending") return "delivered; the token has not come";
  return endedAt === null ? "taken; no end is told" : undefined;
}
