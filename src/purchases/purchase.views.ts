import type { Db } from "../db/database.ts";
import type { Order } from "../orders/order.ts";
import { type OrderViews, statusesOf, type Viewer } from "../orders/order-views.ts";
import { readTimeline } from "../orders/orders.repo.ts";
import { readNotices } from "./notices.repo.ts";
import type { ProductLine } from "./product-line.ts";
import { mayVend } from "./purchase.schemas.ts";
import { PURCHASE_STEPS, purchaseStatus } from "./purchase.steps.ts";
import { storedPurchase } from "./purchase.ts";
import { purchaseView } from "./purchase.view.ts";
import type { PurchaseModels } from "./purchase-models.schemas.ts";
import type { TokenSeal } from "./tokens.ts";

export interface PurchaseViewsOptions {
  readonly line: ProductLine;
  readonly db: Db;
  readonly seal: TokenSeal;
  readonly models: () => PurchaseModels;
}

export type PurchaseViews = ReturnType<typeof makePurchaseViews>;

/** Purchases with what stands of them in other tables: timeline and notice to the customer. */
export function makePurchaseViews({ line, db, seal, models }: PurchaseViewsOptions) {
  const noticesOf = (orders: readonly Order[]) => {
    const notified = orders.filter((order) => storedPurchase(order).notify !== undefined);
    return readNotices(
      db,
      orders[0]?.accountId as Order["accountId"],
      notified.map(({ id }) => id),
    );
  };
  const listed = async (orders: readonly Order[], viewer: Viewer) => {
    const notices = await noticesOf(orders);
    const options = { line, seal, mayVend: mayVend(viewer) };
    return orders.map((order) => purchaseView(order, { ...options, notice: notices.get(order.id) }));
  };
  return {
    statuses: statusesOf(PURCHASE_STEPS, purchaseStatus),
    models: () => ({ inFull: models().Purchase, listed: models().Purchase }),
    listed,
    async inFull(order: Order, viewer: Viewer) {
      const [notices, timeline] = await Promise.all([noticesOf([order]), readTimeline(db, order.accountId, order.id)]);
      return purchaseView(order, {
        line,
        seal,
        mayVend: mayVend(viewer),
        timeline,
        notice: notices.get(order.id),
      });
    },
  } satisfies OrderViews;
}
