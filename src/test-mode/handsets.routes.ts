import Type from "typebox";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { closed, Money, moneyOf, named, oneOf, Timestamp } from "../http/schemas.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import { kobo } from "../kernel/kobo.ts";
import { formatE164, parseMsisdn } from "../kernel/msisdn.ts";
import { type FaultCode, refusal } from "../kernel/refusal.ts";
import { CUSTOMER_CHANNELS } from "../ports/customer-message.ts";
import { senderView } from "../ports/sms-payload.ts";
import type { SmscClient } from "../simulators/smsc/client.ts";
import type { ChatArrival } from "../simulators/vendors/chat-handset.ts";
import type { VendorClient } from "../simulators/vendors/client.ts";
import type { Arrival } from "../simulators/vendors/field.ts";
import { CHAT } from "../simulators/vendors/registry.ts";
import { hideTokens } from "../vendor-text/sts.ts";

/** The far end of test mode: what arrived at a handset, and a handset that writes back. */
export interface HandsetRoutesOptions {
  /** Undefined: none is configured, or it is another node's at ports that this one can't know. */
  readonly smsc: SmscClient | undefined;
  /** Those of airtime and data; undefined as above. */
  readonly vendors: VendorClient | undefined;
  /** Which of these orders belong to the account: a handset shows its caller's own messages only. */
  readonly ownOrders: (accountId: Uuid, ids: readonly Uuid[]) => Promise<ReadonlySet<Uuid>>;
  /** The account's purchases among these references of ours at a simulated vendor, by reference. */
  readonly ownPurchases: (
    accountId: Uuid,
    simulator: string,
    references: readonly string[],
  ) => Promise<ReadonlyMap<string, { readonly purchaseId: string; readonly planId: string | null }>>;
  /** The number that handsets reach the account at. */
  readonly inboundNumberOf: (accountId: Uuid) => Promise<string | undefined>;
  /** The same by chat. */
  readonly chatNumberOf: (accountId: Uuid) => Promise<string | undefined>;
}

const Channel = named("Channel", oneOf(CUSTOMER_CHANNELS));

const HandsetMessage = Type.Object(
  {
    channel: Channel,
    from: Type.String(),
    text: Type.String({ description: "The text as the recipient reads it; a template has its variables filled in." }),
    parts: Type.Integer({ description: "The number of parts received over the wire." }),
    message_id: Type.String(),
    received_at: Timestamp,
    type: Type.Optional(Type.String({ description: "Chat only: text, template, image, interactive, …" })),
    header: Type.Optional(Type.String()),
    footer: Type.Optional(Type.String()),
    choices: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), title: Type.String(), url: Type.Optional(Type.String()) }), {
        description: "Chat only: the buttons or rows that can be pressed.",
      }),
    ),
    media: Type.Optional(
      Type.Object(
        { kind: Type.String(), filename: Type.Optional(Type.String()), link: Type.Optional(Type.String()) },
        { description: "Chat only: the file received. `link`: the address it was fetched from; an upload has none." },
      ),
    ),
    read: Type.Optional(Type.Boolean({ description: "Chat only: whether the person has read it." })),
  },
  { title: "HandsetMessage" },
);

interface Arrivals {
  readonly airtime: readonly Arrival[];
  readonly data: readonly Arrival[];
}
const NOTHING: Arrivals = { airtime: [], data: [] };

const arrival = {
  purchase_id: Type.String(),
  at: Timestamp,
  reversed: Type.Optional(Type.Literal(true, { description: "The vendor reversed it later." })),
};

const Handset = Type.Object(
  {
    object: Type.Literal("handset"),
    phone: Type.String(),
    messages: Type.Array(HandsetMessage),
    airtime: Type.Array(Type.Object({ amount: Money, ...arrival })),
    data: Type.Array(Type.Object({ plan: Type.String({ description: "Its `plan_id`." }), ...arrival })),
  },
  { title: "Handset" },
);

const WriteBody = closed({
  channel: Channel,
  message: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  press: Type.Optional(
    closed(
      { message_id: Type.String({ maxLength: 100 }), id: Type.String({ minLength: 1, maxLength: 256 }) },
      { description: "Chat only, in place of `message`: presses one of the `choices` of a message on this handset." },
    ),
  ),
});

const Written = Type.Object(
  {
    object: Type.Literal("handset_message"),
    channel: Channel,
    from: Type.String(),
    to: Type.String(),
    message: Type.Optional(Type.String()),
    press: Type.Optional(Type.Object({ message_id: Type.String(), id: Type.String() })),
  },
  { title: "WrittenMessage" },
);
const Params = Type.Object({
  phone: Type.String({
    maxLength: 40,
    description: "The handset's number, in any form that `to` accepts.",
    examples: ["+2348031234567"],
  }),
});
const TEST_ONLY = refusal(
  "test_mode_only",
  "Handsets can be looked at with test keys only: live ones are in people's pockets.",
);
const NO_SIMULATOR = refusal(
  "provider_unavailable",
  "This node knows of no simulator: the operator gives it fixed ports, under `simulators` in `afara.config.ts`.",
);
const oneOfTwo = (pointer: string, code: FaultCode, detail: string) =>
  refusal("validation_failed", detail, { errors: [{ pointer, code, detail }] });
const ONE_OF_TWO = oneOfTwo("/message", "required", "Give one of `message` and `press`.");
const NOT_BOTH = oneOfTwo("/press", "not_together", "Give one of `message` and `press`, not both.");
const NO_SMS_PRESS = oneOfTwo(
  "/press",
  "not_together",
  "Only a chat message can be pressed: leave out `channel` or `press`.",
);
const NO_CHOICE = refusal(
  "invalid_state",
  "This handset has no message of yours with such a choice: GET /test/handsets/{phone} shows its `choices`.",
);
const SIMULATOR_AWAY = refusal(
  "provider_unavailable",
  "The simulator does not answer; it is started again by itself.",
  {
    retryAfterSeconds: 1,
  },
);

const EXAMPLE = {
  object: "handset",
  phone: "+2348031234567",
  messages: [
    {
      channel: "sms",
      from: "Afara",
      text: "Your code is 4471",
      parts: 1,
      message_id: "msg_01kb3v9q4ze1xb8m6t2r5y7w0n",
      received_at: "2026-11-27T09:00:00.412Z",
    },
  ],
  airtime: [
    {
      amount: { amount: "500.00", currency: "NGN" },
      purchase_id: "pur_01kb3v9q4ze1xb8m6t2r5y7w0n",
      at: "2026-11-27T09:00:00.412Z",
    },
  ],
  data: [
    {
      plan: "mtn-1gb-30d-6xaa0st1",
      purchase_id: "pur_01kb3v9q4ze1xb8m6t2r5y7w1p",
      at: "2026-11-27T09:00:00.412Z",
    },
  ],
};

export function handsetRoutes(app: Http, options: HandsetRoutesOptions): void {
  const { smsc, vendors, ownOrders, ownPurchases, inboundNumberOf, chatNumberOf } = options;

  /** The account's own chat messages on the handset. */
  const chatOn = async (accountId: Uuid, arrivals: readonly ChatArrival[]) => {
    const named = arrivals.flatMap((arrival) => {
      const id = CHAT.orderOf(arrival.reference ?? "");
      return id === undefined ? [] : [{ ...arrival, orderId: id as Uuid }];
    });
    const own = await ownOrders(
      accountId,
      named.map(({ orderId }) => orderId),
    );
    return named
      .filter(({ orderId }) => own.has(orderId))
      .map(({ orderId, from, type, text, header, footer, media, choices, read, receivedAt }) => ({
        channel: "chat" as const,
        from: `+${from}`,
        text,
        parts: 1,
        message_id: encodeId("msg", orderId),
        received_at: receivedAt,
        type,
        ...(header !== undefined && { header }),
        ...(footer !== undefined && { footer }),
        ...(media && {
          media: {
            kind: media.kind,
            ...(media.filename !== undefined && { filename: media.filename }),
            ...(media.link !== undefined && { link: media.link }),
          },
        }),
        ...(choices.length > 0 && { choices: [...choices] }),
        read,
      }));
  };

  /** A choice under one of the account's own messages on the handset, by the vendor's name of that message. */
  const choiceOn = async (
    accountId: Uuid,
    phone: string,
    press: { readonly message_id: string; readonly id: string },
  ) => {
    const orderId = decodeId("msg", press.message_id);
    const isOwn = orderId !== undefined && (await ownOrders(accountId, [orderId])).has(orderId);
    const arrivals = isOwn ? ((await vendors?.chatMessages(CHAT.name, phone)) ?? []) : [];
    const arrival = arrivals.find(({ reference }) => CHAT.orderOf(reference ?? "") === orderId);
    return arrival?.choices.some(({ id, url }) => id === press.id && url === undefined)
      ? { messageId: arrival.id, id: press.id }
      : undefined;
  };

  /** What of all that came to a phone the account itself has bought. */
  const ownArrivals = async (accountId: Uuid, { airtime, data }: Arrivals) => {
    const byVendor = Map.groupBy([...airtime, ...data], ({ vendor }) => vendor);
    const own = new Map(
      await Promise.all(
        [...byVendor].map(async ([vendor, arrivals]) => {
          const references = arrivals.map(({ reference }) => reference);
          return [vendor, await ownPurchases(accountId, vendor, references)] as const;
        }),
      ),
    );
    const shown = <View>(arrivals: readonly Arrival[], view: (arrival: Arrival, planId: string | null) => View) =>
      arrivals.flatMap((arrival) => {
        const purchase = own.get(arrival.vendor)?.get(arrival.reference);
        if (!purchase) return [];
        const { at, reversed } = arrival;
        const { purchaseId, planId } = purchase;
        return [{ ...view(arrival, planId), purchase_id: purchaseId, at, ...(reversed && { reversed }) }];
      });
    return {
      airtime: shown(airtime, ({ amountKobo }) => ({ amount: moneyOf(kobo(amountKobo)) })),
      data: shown(data, ({ plan }, planId) => ({ plan: planId ?? plan ?? "" })),
    };
  };

  app.get(
    "/test/handsets/:phone",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        errors: ["test_mode_only", "invalid_phone_number", "destination_not_supported", "provider_unavailable"],
        answerExamples: [{ status: 200, summary: "A message, a top-up and a bundle", value: EXAMPLE }],
      },
      schema: {
        operationId: "getHandset",
        summary: "What arrived at a test handset",
        description:
          "The account's own messages on the handset, reassembled from the parts received over the wire, and the airtime and data of its own purchases. It is the customer's own phone: tokens and vouchers that were sent to it are shown in full, also to keys without the scope `vend`.",
        tags: ["Test mode"],
        params: Params,
        response: { 200: Handset },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      if (key.mode !== "test") return sendRefusal(reply, TEST_ONLY);
      const phone = parseMsisdn(request.params.phone, "test");
      if (!phone.ok) return sendRefusal(reply, phone.error);
      if (!smsc) return sendRefusal(reply, NO_SIMULATOR);
      const [all, arrived, chats] = await Promise.all([
        smsc.messages(phone.value).catch(() => undefined),
        vendors ? vendors.phone(phone.value).catch(() => undefined) : NOTHING,
        vendors ? vendors.chatMessages(CHAT.name, phone.value).catch(() => undefined) : [],
      ]);
      if (!all || !arrived || !chats) return sendRefusal(reply, SIMULATOR_AWAY);
      const ids = all.flatMap((message) => (message.orderId === undefined ? [] : [message.orderId as Uuid]));
      const own = await ownOrders(key.accountId as Uuid, ids);
      const texts = all.flatMap(({ from, text, parts, orderId, receivedAt }) =>
        orderId !== undefined && own.has(orderId as Uuid)
          ? [
              {
                channel: "sms" as const,
                from,
                text,
                parts,
                message_id: encodeId("msg", orderId as Uuid),
                received_at: receivedAt,
              },
            ]
          : [],
      );
      const messages = [...texts, ...(await chatOn(key.accountId as Uuid, chats))].sort((a, b) =>
        b.received_at.localeCompare(a.received_at),
      );
      // A token is money: a key that may not vend sees it nowhere in full.
      const shown = key.scopes.includes("vend")
        ? messages
        : messages.map((message) => ({ ...message, text: hideTokens(message.text) }));
      return {
        object: "handset" as const,
        phone: formatE164(phone.value),
        messages: shown,
        ...(await ownArrivals(key.accountId as Uuid, arrived)),
      };
    },
  );

  app.post(
    "/test/handsets/:phone/messages",
    {
      config: {
        auth: { scope: "send", policy: "manage" },
        errors: [
          "test_mode_only",
          "invalid_phone_number",
          "destination_not_supported",
          "provider_unavailable",
          "invalid_state",
        ],
        requestExamples: {
          "The handset answers": { channel: "sms", message: "STOP" },
        },
        answerExamples: [
          {
            status: 202,
            summary: "On its way to the account",
            value: { object: "handset_message", channel: "sms", from: "+2348031234567", to: "20001", message: "STOP" },
          },
        ],
      },
      schema: {
        operationId: "writeFromHandset",
        summary: "Write to the account from a test handset",
        description:
          "The message goes over the wire and is stored; STOP and START take effect at once (`/sms/suppressions`), and `GET /sms/messages?direction=inbound` lists it. By chat it opens the 24-hour window, and `GET /chat/messages` lists it. With `press` it presses a button or a row of a received message.",
        tags: ["Test mode"],
        params: Params,
        body: WriteBody,
        response: { 202: Written },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      if (key.mode !== "test") return sendRefusal(reply, TEST_ONLY);
      const phone = parseMsisdn(request.params.phone, "test");
      if (!phone.ok) return sendRefusal(reply, phone.error);
      const { channel, message, press } = request.body;
      if (message === undefined && press === undefined) return sendRefusal(reply, ONE_OF_TWO);
      if (message !== undefined && press !== undefined) return sendRefusal(reply, NOT_BOTH);
      if (press && channel === "sms") return sendRefusal(reply, NO_SMS_PRESS);
      const to = await (channel === "sms" ? inboundNumberOf : chatNumberOf)(key.accountId as Uuid);
      if (to === undefined)
        return sendRefusal(reply, refusal("invalid_state", "The account has no number that handsets can write to."));
      if (!(channel === "sms" ? smsc : vendors)) return sendRefusal(reply, NO_SIMULATOR);
      const pressed = press && (await choiceOn(key.accountId as Uuid, phone.value, press).catch(() => undefined));
      if (press && !pressed) return sendRefusal(reply, NO_CHOICE);
      const written = await (channel === "sms"
        ? smsc?.write(phone.value, { to, message: message ?? "" })
        : vendors?.chatReply(CHAT.name, phone.value, {
            to,
            ...(pressed ? { press: pressed } : { text: message ?? "" }),
          })
      )?.catch(() => undefined);
      if (written === undefined) return sendRefusal(reply, SIMULATOR_AWAY);
      return reply.code(202).send({
        object: "handset_message",
        channel,
        from: formatE164(phone.value),
        to: channel === "sms" ? senderView(to) : `+${to}`,
        ...(message !== undefined && { message }),
        ...(press && { press }),
      });
    },
  );
}
