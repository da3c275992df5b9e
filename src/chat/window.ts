import { DAY_MS } from "../kernel/duration.ts";
import type { InboundChat } from "../ports/chat-payload.ts";

/** The customer-service window: anything may be sent to a person for 24 hours after they last wrote; else templates alone. */
export interface ChatWindow {
  readonly lastInboundAt: Date | null;
  /** The vendor said that it is closed of a message accepted then; until the person writes again. */
  readonly refusedAt: Date | null;
}

export const NEVER_OPENED: ChatWindow = { lastInboundAt: null, refusedAt: null };

const WINDOW_MS = DAY_MS;

/** When it closes, or closed; null when it never was open. It is closed at that very moment. */
export const closesAt = ({ lastInboundAt, refusedAt }: ChatWindow): Date | null =>
  refusedAt ?? (lastInboundAt && new Date(lastInboundAt.getTime() + WINDOW_MS));

export function isOpen(window: ChatWindow, now: Date): boolean {
  const end = closesAt(window);
  return window.refusedAt === null && end !== null && now < end;
}

/**
 * What a person does to speak to a business: it opens the window. A change of a message, taking one or a reaction back, a notice of the
 * system and whatever comes later open nothing. Source: Meta, “Customer service windows”: a message or a call.
 */
const OPENING: ReadonlySet<string> = new Set([
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "contacts",
  "button",
  "interactive",
  "order",
  "call",
  // A message of a kind that Meta does not bring, such as a poll.
  "unsupported",
]);

/** What is written in a group opens the group's window, which nobody here writes in. */
export const opensWindow = ({ type, reaction, group_id }: InboundChat): boolean =>
  group_id === undefined && (OPENING.has(type) || (type === "reaction" && reaction?.emoji !== undefined));
