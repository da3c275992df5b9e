import type { Db } from "../db/database.ts";
import type { EventObjects } from "../orders/service.ts";
import { readNotices } from "./notices.repo.ts";
import type { ProductLine } from "./product-line.ts";
import { storedPurchase } from "./purchase.ts";
import { purchaseView } from "./purchase.view.ts";
import { type TokenSeal, withoutTokens } from "./tokens.ts";

/** Purchases of this line in events. */
export const purchasesIn =
  (line: ProductLine, { db, seal }: { readonly db: Db; readonly seal: TokenSeal }): EventObjects =>
  async (orders, mayVend) => {
    const [first] = orders;
    if (!first) return [];
    const notified = orders.filter((order) => storedPurchase(order).notify !== undefined);
    const notices = await readNotices(
      db,
      first.accountId,
      notified.map(({ id }) => id),
    );
    return orders.map((order) =>
      purchaseView(order.state === "token_pending" ? withoutTokens(order) : order, {
        line,
        seal,
        mayVend,
        notice: notices.get(order.id),
      }),
    );
  };
