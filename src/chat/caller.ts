import type { OrderCaller } from "../accounts/order-caller.ts";
import type { ChatAddress } from "../kernel/chat-address.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { ChatPlan } from "./chat.settings.ts";

/** Who sends, and on which terms. */
export interface ChatCaller extends OrderCaller<ChatPlan> {
  /** What a fallback by SMS goes by: see `SmsSubscriber`. */
  readonly smsPlan?: string;
  readonly defaultSender?: string;
}

export interface Recipient {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly address: ChatAddress;
}

/** Whether a person has opted out of the account's promotional messages by this channel, under any of their addresses. */
export type IsOptedOut = (recipient: Recipient & { readonly channel: "chat" | "sms" }) => Promise<boolean>;
