import type { Database } from "../db/database.ts";
import type { Log } from "../kernel/log.ts";
import type { ErrorCode } from "../kernel/refusal.ts";
import { invariant } from "../kernel/result.ts";
import type { Order } from "../orders/order.ts";
import { findOrder } from "../orders/orders.repo.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import type { TokenParcel } from "../ports/purchase.ts";
import { findNotice, findPendingNotices, type PendingNotice, settleNotice } from "./notices.repo.ts";
import type { ProductLine } from "./product-line.ts";
import { phoneOf, storedPurchase } from "./purchase.ts";
import type { TokenSeal } from "./tokens.ts";

/**
 * Tells customers of what was bought for them, where the purchase asked for it: by a message order of its own. That it is to
 * be told is recorded with the success; the message is made right after, and what a crash leaves over by `sweep`. Nothing
 * here touches the purchase.
 */
export interface Notices {
  /** An order was changed by this node, and the change is committed. Returns at once. */
  changed(order: Order): void;
  /** Makes the messages that are missing. */
  sweep(): Promise<void>;
  /** Once what is under way is done. */
  idle(): Promise<void>;
}

export interface NoticesOptions {
  readonly db: Database;
  readonly log: Log;
  readonly seal: TokenSeal;
  readonly send: SendToCustomer;
  /** By service; each that sells by purchase brings its own. */
  readonly lines: ReadonlyMap<string, Pick<ProductLine, "notice">>;
}

const SWEEP_MAX = 50;

/** Refusals that say nothing about the message: it is tried again. */
const LATER: ReadonlySet<ErrorCode> = new Set(["overloaded", "database_unavailable", "acceptance_unknown"]);

export function makeNotices({ db, log, seal, send, lines }: NoticesOptions): Notices {
  const underWay = new Set<Promise<void>>();

  const isMade = async ({ accountId, messageId }: PendingNotice): Promise<boolean> =>
    (await findOrder(db, accountId, messageId)) !== undefined;

  const opened = (order: Order): readonly TokenParcel[] | undefined => {
    try {
      return seal.open(order);
    } catch {
      return undefined;
    }
  };

  const make = async (notice: PendingNotice): Promise<void> => {
    const { accountId, orderId, messageId } = notice;
    const order = await findOrder(db, accountId, orderId);
    if (order?.state !== "successful") return settleNotice(db, notice, TAKEN_BACK);
    if (await isMade(notice)) return settleNotice(db, notice, undefined);
    const tokens = opened(order);
    if (!tokens) return settleNotice(db, notice, UNREADABLE);
    const line = lines.get(order.service);
    invariant(line, "a service that sells by purchase has a product line");
    const channel = storedPurchase(order).notify?.channel ?? "sms";
    const to = phoneOf(order);
    const message = { channel, id: messageId, accountId, mode: order.mode, to, ...line.notice(order, tokens) };
    try {
      const sent = await send(message);
      if (sent.ok) return settleNotice(db, notice, undefined);
      const { code, detail } = sent.error;
      if (!LATER.has(code)) return settleNotice(db, notice, { code, detail });
    } catch (error) {
      // Another node may have made the very same message in this moment: its id is taken then.
      if (!(await isMade(notice))) throw error;
      return settleNotice(db, notice, undefined);
    }
  };

  const makeSafely = (notice: PendingNotice): Promise<void> =>
    make(notice).catch((error: Error) =>
      log.warn({ order: notice.orderId, error: error.message }, "a customer is not told yet of a purchase"),
    );

  return {
    changed(order) {
      if (order.state !== "successful" || storedPurchase(order).notify === undefined) return;
      const telling = findNotice(db, order.accountId, order.id)
        .then((notice) => notice && makeSafely(notice))
        .catch((error: Error) => log.warn({ order: order.id, error: error.message }, "a notice waits for the sweep"))
        .finally(() => underWay.delete(telling));
      underWay.add(telling);
    },
    async sweep() {
      await Promise.all((await findPendingNotices(db, SWEEP_MAX)).map(makeSafely));
    },
    async idle() {
      await Promise.all(underWay);
    },
  };
}

const UNREADABLE = {
  code: "payload_unreadable",
  detail: "The tokens could not be read: the server's secret has changed.",
};
const TAKEN_BACK = { code: "invalid_state", detail: "The vendor took the purchase back before the customer was told." };
