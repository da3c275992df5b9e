import { limitsOf } from "../accounts/order-caller.ts";
import { type DestinationCaps, sendWithinCaps } from "../counters/destination-caps.ts";
import type { Database } from "../db/database.ts";
import { type ChatAddress, isUserId, parseChatAddress } from "../kernel/chat-address.ts";
import type { Clock } from "../kernel/clock.ts";
import { decodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { parseKobo, taxContained } from "../kernel/kobo.ts";
import { storedMsisdn } from "../kernel/msisdn.ts";
import { ON_AMBIGUOUS_DEFAULT, type OnAmbiguous } from "../kernel/on-ambiguous.ts";
import { type Fault, type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { NewOrder } from "../orders/accept.repo.ts";
import type { AcceptedOnce } from "../orders/accept-once.ts";
import { PRIORITY, queueOf } from "../orders/order.ts";
import { findOrder } from "../orders/orders.repo.ts";
import type { Orders } from "../orders/orders.ts";
import { noRoute, whyNot } from "../orders/refusals.ts";
import { keysOf, type RequestKeys } from "../orders/repeats.ts";
import type { MakeFallbackSms } from "../ports/sms-fallback.ts";
import type { ChatCaller, IsOptedOut } from "./caller.ts";
import { CHAT, type StoredChat, storedChat, VALID_MS } from "./chat.definition.ts";
import type { ChatPlan } from "./chat.settings.ts";
import { type ChatRequest, type ContentMakers, type MadeContent, type MakeContent, makeContent } from "./content.ts";
import { FALLBACK_AFTER_MS, type StoredFallback } from "./fallback.ts";
import { findInbound } from "./inbound.repo.ts";
import { type FallbackRequest, heldFor, type MakeFallback, makeFallbackMaker } from "./make-fallback.ts";
import type { ChatNumber } from "./numbers.repo.ts";
import type { ChatNumbers } from "./numbers.service.ts";
import type { ChatSeal } from "./sealed-chat.ts";
import { type ChatWindow, closesAt, isOpen } from "./window.ts";
import { readWindow } from "./windows.repo.ts";

/** What every send takes besides its content. */
export interface ChatOptions {
  readonly from?: string;
  /** The id of a message of the same conversation. */
  readonly reply_to?: string;
  readonly on_ambiguous?: OnAmbiguous;
  readonly fallback?: FallbackRequest;
  readonly reference?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Set by the gateway for a message that it sends for another service. */
export interface OwnMessage {
  /** Chosen by the caller, which may try the same message several times. */
  readonly id: Uuid;
  /** Stored and shown in place of the text, which is a secret. */
  readonly shownAs?: string;
}

export interface ChatServiceOptions extends ContentMakers {
  readonly db: Database;
  readonly orders: Pick<Orders, "serves" | "acceptOnce" | "repeatOr" | "refusalOf">;
  readonly clock: Clock;
  readonly numbers: ChatNumbers;
  readonly isOptedOut: IsOptedOut;
  readonly makeFallbackSms: MakeFallbackSms;
  readonly destinationCaps: DestinationCaps;
  readonly seal: Pick<ChatSeal, "seal">;
  readonly vatBasisPoints: number;
  /** All plans of the service: a refusal for a used-up quota names those that would do. */
  readonly plans: readonly ChatPlan[];
}

export interface Chat {
  send(
    caller: ChatCaller,
    to: string,
    request: ChatRequest,
    options: ChatOptions,
    keys: RequestKeys,
    own?: OwnMessage,
  ): Promise<Result<AcceptedOnce>>;
}

export const makeChat = (options: ChatServiceOptions): Chat => new ChatService(options);

/** The message that is answered: the vendor's name of it, and ours. */
interface ReplyTo {
  readonly in_reply_to: string;
  readonly reply_to: string;
}

/** What a request asks for, once nothing is wrong with it. */
interface Checked {
  readonly to: ChatAddress;
  readonly payload: StoredChat;
}

class ChatService implements Chat {
  readonly #options: ChatServiceOptions;
  readonly #contentOf: MakeContent;
  readonly #fallbackOf: MakeFallback;

  constructor(options: ChatServiceOptions) {
    this.#options = options;
    const { makeFallbackSms: makeSms, isOptedOut, vatBasisPoints } = options;
    this.#contentOf = makeContent(options);
    this.#fallbackOf = makeFallbackMaker({ contentOf: this.#contentOf, makeSms, isOptedOut, vatBasisPoints });
  }

  async send(
    caller: ChatCaller,
    recipient: string,
    request: ChatRequest,
    options: ChatOptions,
    keys: RequestKeys,
    own?: OwnMessage,
  ): Promise<Result<AcceptedOnce>> {
    const { orders, clock } = this.#options;
    const now = clock.now();
    const orderKeys = keysOf(keys, options.reference);
    const checked = await this.#check(caller, recipient, request, options);
    if (!checked.ok) return orders.repeatOr(caller, orderKeys, withService(orders.refusalOf(checked.error)));
    const { to, payload } = checked.value;
    const { needs_window, fallback } = payload;
    const channels = fallback?.via === "sms" ? ["chat", "sms"] : ["chat"];
    if (!channels.every((channel) => orders.serves(queueOf("chat", caller.mode), { channel })))
      return refuse(noRoute(CHAT));
    const made = this.#orderOf(caller, to, payload, options, orderKeys, now);
    const order = this.#named({ ...made, requestId: keys.requestId }, own);
    // Checked first to spare the accepting batch an order that would be refused; the accepting transaction decides.
    const isClosed = needs_window && !isOpen(await this.#windowOf(order), now);
    if (isClosed && !fallback) return orders.repeatOr(caller, order.keys, () => this.#windowClosed(order));
    return this.#acceptWithinCaps(caller, isClosed ? fallingBackAtOnce(order) : order, keys);
  }

  /** Errors: all faults of the request together. */
  async #check(
    caller: ChatCaller,
    recipient: string,
    request: ChatRequest,
    options: ChatOptions,
  ): Promise<Result<Checked, readonly Fault[]>> {
    const { numbers, isOptedOut } = this.#options;
    const to = parseChatAddress(recipient, caller.mode);
    const from = await numbers.choose(caller, options.from);
    const faults: Fault[] = [
      ...(to.ok ? [] : [{ pointer: "/to", code: to.error.code, detail: to.error.detail }]),
      ...(from.ok ? [] : [from.error]),
    ];
    const content = from.ok ? await this.#contentOf(caller, from.value, request, faults.length === 0) : undefined;
    if (content && !content.ok) faults.push(...content.error);
    const replyTo =
      to.ok && from.ok ? await this.#replyOf(caller, from.value, to.value, options.reply_to) : ok(undefined);
    if (!replyTo.ok) faults.push(replyTo.error);
    const category = content?.ok ? content.value.category : undefined;
    const isMarketing = category === "marketing";
    if (to.ok && isMarketing && (await isOptedOut({ ...caller, address: to.value, channel: "chat" })))
      faults.push(OPTED_OUT);
    if (to.ok && isUserId(to.value) && category === "authentication") faults.push(NO_CODES);
    const isSound = faults.length === 0;
    const fallback =
      to.ok && from.ok && options.fallback
        ? await this.#fallbackOf(
            caller,
            { to: to.value, number: from.value, category: category ?? "service" },
            options.fallback,
            isSound,
          )
        : ok(undefined);
    if (!fallback.ok) faults.push(...fallback.error);
    if (!to.ok || !from.ok || !content?.ok || !replyTo.ok || !fallback.ok || faults.length > 0) return refuse(faults);
    return ok({ to: to.value, payload: payloadOf(from.value, content.value, replyTo.value, fallback.value) });
  }

  /** A message that may go as an SMS counts against its destination's caps like one. */
  #acceptWithinCaps(caller: ChatCaller, order: NewOrder, keys: RequestKeys): Promise<Result<AcceptedOnce>> {
    const { orders, destinationCaps } = this.#options;
    if (storedChat(order).fallback?.via !== "sms") return this.#accept(caller, order, keys);
    return sendWithinCaps(destinationCaps, caller, [storedMsisdn(order.recipient)], (refused) => {
      const overCap = refused.get(0);
      return overCap ? orders.repeatOr(caller, order.keys, overCap) : this.#accept(caller, order, keys);
    });
  }

  #named(order: NewOrder, own: OwnMessage | undefined): NewOrder {
    if (!own) return order;
    const { id, shownAs } = own;
    return {
      ...order,
      id,
      ...(shownAs !== undefined && { payload: this.#options.seal.seal(id, storedChat(order), shownAs) }),
    };
  }

  #orderOf(
    caller: ChatCaller,
    to: ChatAddress,
    payload: StoredChat,
    options: ChatOptions,
    keys: NewOrder["keys"],
    now: Date,
  ): NewOrder {
    const priceKobo = payload.fallback ? heldFor(payload.fallback) : parseKobo(caller.plan.prices[payload.category]);
    const isMarketing = payload.category === "marketing";
    return {
      id: newUuid(),
      accountId: caller.accountId,
      mode: caller.mode,
      service: "chat",
      state: "queued",
      priority: isMarketing ? PRIORITY.singlePromotional : PRIORITY.singleTransactional,
      ambiguity: options.on_ambiguous ?? ON_AMBIGUOUS_DEFAULT[isMarketing ? "promotional" : "transactional"],
      priceKobo,
      taxKobo: taxContained(priceKobo, this.#options.vatBasisPoints),
      recipient: to,
      reference: options.reference ?? null,
      metadata: options.metadata ?? null,
      payload,
      sendAt: null,
      expiresAt: new Date(now.getTime() + (payload.fallback ? FALLBACK_AFTER_MS[caller.mode] : VALID_MS)),
      createdAt: now,
      dueAt: now,
      ...limitsOf(caller, now),
      keys,
    };
  }

  /** The vendor's name of the message that is answered; it must be of the same conversation. */
  async #replyOf(
    caller: ChatCaller,
    { number, provider }: ChatNumber,
    to: ChatAddress,
    text: string | undefined,
  ): Promise<Result<ReplyTo | undefined, Fault>> {
    if (text === undefined) return ok(undefined);
    const { db } = this.#options;
    const id = decodeId("msg", text);
    const received = id && (await findInbound(db, { ...caller, id }));
    const isTheirs = received && [received.sender, received.facts.user_id].includes(to);
    if (isTheirs && received.number === number && received.provider === provider)
      return ok({ in_reply_to: received.providerReference, reply_to: text });
    const sent = id && (await findOrder(db, caller.accountId, id));
    const reference = sent?.pieces?.[0]?.reference;
    const isOfTheirs =
      sent?.service === "chat" &&
      sent.mode === caller.mode &&
      sent.recipient === to &&
      storedChat(sent).from === number;
    if (isOfTheirs && reference !== undefined) return ok({ in_reply_to: reference, reply_to: text });
    return refuse({
      pointer: "/reply_to",
      code: "unknown_message",
      detail: "This names no message between this number and this recipient that the vendor has taken.",
    });
  }

  #windowOf({ mode, recipient, payload }: NewOrder): Promise<ChatWindow> {
    return readWindow(this.#options.db, { mode, recipient, number: storedChat({ payload }).from });
  }

  async #windowClosed(order: NewOrder): Promise<Refusal> {
    const window = await this.#windowOf(order);
    const closedAt = closesAt(window);
    const since = closedAt
      ? `The window of this recipient closed at ${closedAt.toISOString()}`
      : "This recipient has not written to this number yet";
    return refusal(
      "chat_window_closed",
      `${since}. Send an approved template, name a \`fallback\`, or wait until they write: that opens it for 24 hours.`,
      {
        members: {
          window: {
            last_inbound_at: window.lastInboundAt?.toISOString() ?? null,
            closed_at: closedAt?.toISOString() ?? null,
          },
        },
      },
    );
  }

  async #accept(caller: ChatCaller, order: NewOrder, keys: RequestKeys): Promise<Result<AcceptedOnce>> {
    const { orders, plans } = this.#options;
    return orders.acceptOnce(order, keys, async (why) => {
      if (why.kind !== "rule") return refuse(whyNot(why, { service: CHAT, cost: order, plan: caller.plan, plans }));
      if (why.rule === SMS_QUOTA) return refuse(SMS_QUOTA_USED);
      if (!storedChat(order).fallback) return refuse(await this.#windowClosed(order));
      return this.#accept(caller, fallingBackAtOnce(order), keys);
    });
  }
}

const payloadOf = (
  { number, provider }: ChatNumber,
  { category, content, ...files }: MadeContent,
  replyTo: ReplyTo | undefined,
  fallback: StoredFallback | undefined,
): StoredChat => ({
  from: number,
  provider,
  content,
  category,
  needs_window: content.type !== "template",
  ...files,
  ...replyTo,
  ...(fallback && { fallback }),
});

/** The window is closed, so only the fallback is sent. */
function fallingBackAtOnce(order: NewOrder): NewOrder {
  const stored = storedChat(order);
  if (!stored.fallback) return order;
  const payload: StoredChat = { ...stored, needs_window: false, fallback: { ...stored.fallback, at_once: true } };
  return { ...order, payload, expiresAt: new Date(order.createdAt.getTime() + VALID_MS) };
}

/** The rule of migration 0019. */
const SMS_QUOTA = "sms_quota";
const SMS_QUOTA_USED = refusal(
  "quota_exceeded",
  "The window is closed, so the fallback would go at once, and all SMS that your plan allows this month are used up.",
);

/** Source: Meta, “Business-scoped user IDs”; error 131062. */
const NO_CODES: Fault = {
  pointer: "/to",
  code: "destination_not_supported",
  detail: "WhatsApp sends one-time codes to phones alone: give the phone number in `to`.",
};

const OPTED_OUT: Fault = {
  pointer: "/to",
  code: "recipient_opted_out",
  detail:
    "The recipient wants no promotional messages from you: see GET /sms/suppressions. Other templates still reach them.",
};

/** The caller has a plan of `chat`, or would not be here: what lacks one is the SMS that a fallback sends. */
const withService = (refused: Refusal): Refusal =>
  refused.code === "not_subscribed"
    ? { ...refused, members: { service: "sms", link: "/portal/services/sms" } }
    : refused;
