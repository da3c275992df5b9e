import type { Database } from "../db/database.ts";
import type { ChatAddress } from "../kernel/chat-address.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Order } from "../orders/order.ts";
import type { Failure, PreSendCheck } from "../orders/service-definition.ts";
import type { IsOptedOut } from "./caller.ts";
import { storedChat } from "./chat.definition.ts";
import { activeFallback, isMarketingByChat } from "./fallback.ts";
import { isOpen } from "./window.ts";
import { readWindow } from "./windows.repo.ts";

/** For so long the look at the acceptance stands. */
const LOOK_STANDS_MS = 60_000;

const CLOSED: Failure = {
  code: "chat_window_closed",
  detail: "The recipient's window closed before the vendor was able to take the message.",
};
const OPTED_OUT: Failure = {
  code: "opted_out",
  detail: "The recipient opted out of marketing before it could leave.",
};

export interface ChatLastLookOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly isOptedOut: IsOptedOut;
}

/**
 * What waited long for its vendor may have missed its window, or its recipient has stopped marketing meanwhile: the vendor would
 * refuse it, and count that against the number.
 */
export function makeChatPreSendCheck({ db, clock, isOptedOut }: ChatLastLookOptions): PreSendCheck {
  const atWindow = async ({ mode, recipient, ...order }: Order): Promise<Failure | undefined> => {
    const window = await readWindow(db, { mode, recipient, number: storedChat(order).from });
    return isOpen(window, clock.now()) ? undefined : CLOSED;
  };
  const atOptOuts = async ({ accountId, mode, recipient }: Order): Promise<Failure | undefined> =>
    (await isOptedOut({ accountId, mode, address: recipient as ChatAddress, channel: "chat" })) ? OPTED_OUT : undefined;
  return (order) => {
    if (clock.now().getTime() - order.createdAt.getTime() < LOOK_STANDS_MS) return undefined;
    if (isMarketingByChat(order)) return atOptOuts(order);
    return storedChat(order).needs_window && !activeFallback(order) ? atWindow(order) : undefined;
  };
}
