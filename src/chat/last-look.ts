import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Order } from "../orders/order.ts";
import type { Failure, LastLook } from "../orders/service-definition.ts";
import { storedChat } from "./chat.definition.ts";
import { sentInstead } from "./fallback.ts";
import { isOpen } from "./window.ts";
import { readWindow } from "./windows.repo.ts";

/** For so long the look at the acceptance stands. */
const LOOK_STANDS_MS = 60_000;

const CLOSED: Failure = {
  code: "chat_window_closed",
  detail: "The recipient's window closed before the vendor was able to take the message.",
};

/** What waited long for its vendor may have missed its window: the vendor would refuse it, and count that against the number. */
export function makeChatLastLook({ db, clock }: { readonly db: Database; readonly clock: Clock }): LastLook {
  const look = async ({ mode, recipient, ...order }: Order): Promise<Failure | undefined> => {
    const window = await readWindow(db, { mode, recipient, number: storedChat(order).from });
    return isOpen(window, clock.now()) ? undefined : CLOSED;
  };
  return (order) => {
    if (order.service !== "chat" || !storedChat(order).needs_window || sentInstead(order)) return undefined;
    const isRecent = clock.now().getTime() - order.createdAt.getTime() < LOOK_STANDS_MS;
    return isRecent ? undefined : look(order);
  };
}
