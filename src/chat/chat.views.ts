import type { Db } from "../db/database.ts";
import type { Order } from "../orders/order.ts";
import { type OrderViews, statusesOf } from "../orders/order-views.ts";
import { readTimeline } from "../orders/orders.repo.ts";
import * as examples from "./chat.examples.ts";
import { ChatMessage, ChatMessageInFull } from "./chat.schemas.ts";
import { CHAT_STEPS } from "./chat.steps.ts";
import { messageInFull, messageView } from "./chat.view.ts";

export type ChatViews = ReturnType<typeof makeChatViews>;

/** Messages with their timelines. */
export const makeChatViews = ({ db }: { readonly db: Db }) =>
  ({
    statuses: statusesOf(CHAT_STEPS),
    models: () => ({ inFull: ChatMessageInFull, listed: ChatMessage }),
    examples: { inFull: examples.STATUS[0]!.value, listed: examples.TEXT_SENT[0]!.value },
    inFull: async (order: Order) => messageInFull(order, await readTimeline(db, order.accountId, order.id)),
    listed: async (orders: readonly Order[]) => orders.map(messageView),
  }) satisfies OrderViews;
