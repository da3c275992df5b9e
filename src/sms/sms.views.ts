import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Order } from "../orders/order.ts";
import { type OrderViews, statusesOf } from "../orders/order-views.ts";
import { readTimeline } from "../orders/orders.repo.ts";
import { holdsFor } from "./charge.ts";
import * as examples from "./sms.examples.ts";
import { SmsMessage, SmsMessageInFull } from "./sms.schemas.ts";
import { SMS_STEPS } from "./sms.steps.ts";
import { messageInFull, messageView } from "./sms.view.ts";

export type SmsViews = ReturnType<typeof makeSmsViews>;

/** Messages with what stands of them in other tables: timeline and hold. */
export const makeSmsViews = ({ db, clock }: { readonly db: Db; readonly clock: Clock }) =>
  ({
    statuses: statusesOf(SMS_STEPS),
    models: () => ({ inFull: SmsMessageInFull, listed: SmsMessage }),
    examples: { inFull: examples.STATUS[0]!.value, listed: examples.SENT[0]!.value },
    async inFull(order: Order) {
      const [holds, timeline] = await Promise.all([
        holdsFor(db, order.accountId, [order]),
        readTimeline(db, order.accountId, order.id),
      ]);
      return messageInFull(order, holds, timeline, clock.now());
    },
    async listed(orders: readonly Order[]) {
      const [first] = orders;
      const holds = first && (await holdsFor(db, first.accountId, orders));
      return orders.map((order) => messageView(order, holds!));
    },
  }) satisfies OrderViews;
