import { formatChatAddress } from "../kernel/chat-address.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { pricedAt } from "../kernel/money.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import type { Order } from "../orders/order.ts";
import type { TimelineRow } from "../orders/orders.repo.ts";
import { CHARGE_OF, holdsByState } from "../orders/steps.ts";
import type { ChatContent, ChatMedia, VendorTemplate } from "../ports/chat-payload.ts";
import { senderView } from "../ports/sms-payload.ts";
import { type StoredChat, storedChat } from "./chat.definition.ts";
import { CHAT_STEPS } from "./chat.steps.ts";
import { timelineView } from "./chat.timeline.ts";
import { activeFallback, type StoredFallback } from "./fallback.ts";
import type { ReceivedChat } from "./inbound.repo.ts";
import { placeholdersOf } from "./template.ts";
import { type ChatWindow, closesAt, isOpen } from "./window.ts";

/** How chat looks to subscribers. */

/** Each state of chat says what became of the money. */
const HOLDS = holdsByState(CHAT_STEPS);
const chargeOf = (state: string) => CHARGE_OF[[...(HOLDS.get(state) ?? [])][0] ?? "pending"];

const isStored = (order: Order | NewOrder): order is Order => "updatedAt" in order;

export function messageView(order: Order | NewOrder) {
  const stored = storedChat(order);
  const updatedAt = isStored(order) ? order.updatedAt : order.createdAt;
  return {
    id: encodeId("msg", order.id),
    object: "chat" as const,
    direction: "outbound" as const,
    mode: order.mode,
    status: order.state,
    to: formatChatAddress(order.recipient),
    from: `+${stored.from}`,
    ...contentView(stored),
    category: stored.category,
    price: stored.fallback?.message_price ?? pricedAt(order.priceKobo, order.taxKobo),
    charge: chargeOf(order.state),
    ...failureOf(order),
    ...(stored.fallback && { fallback: fallbackView(stored.fallback, activeFallback(order) !== undefined) }),
    ...(stored.reply_to !== undefined && { reply_to: stored.reply_to }),
    ...(order.reference !== null && { reference: order.reference }),
    ...(order.metadata !== null && { metadata: { ...order.metadata } }),
    created_at: order.createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

/** What the first way failed of is told in the timeline. */
function failureOf(order: Order | NewOrder): { readonly failure?: { readonly code: string; readonly detail: string } } {
  const failure = isStored(order) && order.state === "failed" ? order.facts?.failure : undefined;
  return failure ? { failure: failure as { code: string; detail: string } } : {};
}

/** The message as it was when its acceptance was answered: what a repeated request gets. */
export const acceptedView = (order: Order | NewOrder) =>
  messageView({ ...order, state: "queued", ...(isStored(order) && { updatedAt: order.createdAt, facts: null }) });

export const messageInFull = (order: Order, timeline: readonly TimelineRow[]) => ({
  ...messageView(order),
  timeline: timelineView(order, timeline),
});

/** As it was asked for. */
function contentView(stored: StoredChat) {
  const { content } = stored;
  switch (content.type) {
    case "text":
      return { type: "text" as const, message: content.body };
    case "media":
      return { type: content.kind, media: mediaView(stored, content) };
    case "interactive":
      return { type: "interactive" as const, message: content.body, interactive: interactiveView(content) };
    case "template":
      return { type: "template" as const, template: templateView(stored, content) };
  }
}

const fallbackView = (fallback: StoredFallback, isUsed: boolean) => ({
  ...(fallback.via === "sms"
    ? {
        sms: {
          message: fallback.sms.text,
          from: senderView(fallback.sms.from),
          segments: fallback.sms.segments,
        },
      }
    : { template: templateView(fallback, fallback.content) }),
  price: fallback.price,
  used: isUsed,
});

/** What the stored file of a message is called here. */
type Files = Pick<StoredChat, "media_id" | "media_url">;

/** The vendor's own ids of files are nobody's business. */
const fileOf = ({ media_id, media_url }: Files) => ({
  ...(media_id !== undefined && { media_id }),
  ...(media_url !== undefined && { url: media_url }),
});

const mediaView = (stored: StoredChat, { caption, filename }: Extract<ChatContent, { type: "media" }>) => ({
  ...fileOf(stored),
  ...(caption !== undefined && { caption }),
  ...(filename !== undefined && { filename }),
});

function interactiveView({ header, footer, action }: Extract<ChatContent, { type: "interactive" }>) {
  return {
    type: action.kind,
    ...(header !== undefined && { header }),
    ...(footer !== undefined && { footer }),
    ...(action.kind === "buttons" && { buttons: [...action.buttons] }),
    ...(action.kind === "list" && {
      list: {
        button: action.button,
        sections: action.sections.map(({ rows, ...rest }) => ({ ...rest, rows: [...rows] })),
      },
    }),
    ...(action.kind === "cta_url" && { cta_url: { label: action.label, url: action.url } }),
  };
}

function templateView(
  stored: Files,
  { name, language, header, body, buttons }: Extract<ChatContent, { type: "template" }>,
) {
  const headerTexts = header === undefined ? undefined : isTexts(header) ? [...header] : Object.values(fileOf(stored));
  return {
    name,
    language,
    variables: {
      ...(headerTexts && { header: headerTexts }),
      ...(body && { body: [...body] }),
      ...(buttons && { buttons: buttons.map(({ value }) => value) }),
    },
  };
}

const isTexts = (header: readonly string[] | ChatMedia): header is readonly string[] => Array.isArray(header);

/** `ids`: our ids of the messages that replies and reactions are about, by the vendor's. */
export function receivedView(received: ReceivedChat, ids: ReadonlyMap<string, Uuid>) {
  const { facts, media } = received;
  const idOf = (vendorId: string | undefined) => {
    const id = vendorId === undefined ? undefined : ids.get(vendorId);
    return id && encodeId("msg", id);
  };
  const replyTo = idOf(facts.in_reply_to);
  const reactedTo = idOf(facts.reaction?.message_id);
  const [edits, revokes] = [idOf(facts.edits), idOf(facts.revokes)];
  return {
    id: encodeId("msg", received.id),
    object: "chat" as const,
    direction: "inbound" as const,
    mode: received.mode,
    from: formatChatAddress(received.sender),
    ...(facts.user_id !== undefined && { user_id: facts.user_id }),
    to: `+${received.number}`,
    type: facts.type,
    ...(received.body !== "" && { message: received.body }),
    ...(media && {
      media: {
        status: media.state,
        ...(media.mimeType !== null && { mime_type: media.mimeType }),
        ...(facts.media?.filename !== undefined && { filename: facts.media.filename }),
        ...(media.size !== null && { size: media.size }),
        ...(media.sha256 !== null && { sha256: media.sha256.toString("hex") }),
      },
    }),
    ...(facts.choice && { choice: { ...facts.choice } }),
    ...(facts.reaction && {
      reaction: {
        ...(reactedTo !== undefined && { message_id: reactedTo }),
        ...(facts.reaction.emoji !== undefined && { emoji: facts.reaction.emoji }),
      },
    }),
    ...(facts.location && { location: { ...facts.location } }),
    ...(replyTo !== undefined && { reply_to: replyTo }),
    ...(edits !== undefined && { edits }),
    ...(revokes !== undefined && { revokes }),
    ...(facts.understood_as && { understood_as: facts.understood_as }),
    ...(facts.referral !== undefined && { referral: facts.referral }),
    ...(facts.referred_product !== undefined && { referred_product: facts.referred_product }),
    ...(facts.forwarded && { forwarded: true as const }),
    ...(facts.frequently_forwarded && { frequently_forwarded: true as const }),
    ...(facts.group_id !== undefined && { group_id: facts.group_id }),
    ...(facts.raw !== undefined && { raw: facts.raw }),
    ...(facts.profile_name !== undefined && { profile_name: facts.profile_name }),
    written_at: received.writtenAt.toISOString(),
    created_at: received.receivedAt.toISOString(),
  };
}

export const windowView = (window: ChatWindow, now: Date) => ({
  object: "chat_window" as const,
  open: isOpen(window, now),
  last_inbound_at: window.lastInboundAt?.toISOString() ?? null,
  closes_at: closesAt(window)?.toISOString() ?? null,
});

export function vendorTemplateView(template: VendorTemplate) {
  const { name, language, category, status } = template;
  const { header, body, buttons } = placeholdersOf(template);
  return {
    object: "chat_template" as const,
    name,
    language,
    category,
    status,
    ...(template.header?.text !== undefined && { header: template.header.text }),
    body: template.body,
    ...(template.unknownParts && { unknown_parts: [...template.unknownParts] }),
    variables: { header: [...header], body: [...body], buttons: [...buttons] },
  };
}
