import Type from "typebox";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { closed, Timestamp } from "../http/schemas.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { formatE164, parseMsisdn } from "../kernel/msisdn.ts";
import { refusal } from "../kernel/refusal.ts";
import type { SmscClient } from "./smsc/client.ts";

/** The far end of test mode: what arrived at a handset, and a handset that writes back. */
export interface HandsetRoutesOptions {
  /** Undefined: none is configured, or it is another node's at ports that this one can't know. */
  readonly smsc: SmscClient | undefined;
  /** Which of these orders belong to the account: a handset shows its caller's own messages only. */
  readonly ownOrders: (accountId: Uuid, ids: readonly Uuid[]) => Promise<ReadonlySet<Uuid>>;
  /** The number that handsets reach the account at. */
  readonly inboundNumberOf: (accountId: Uuid) => Promise<string | undefined>;
}

const HandsetMessage = Type.Object({
  channel: Type.Literal("sms"),
  from: Type.String(),
  text: Type.String(),
  parts: Type.Integer({ description: "How many parts came over the wire." }),
  message_id: Type.String(),
  received_at: Timestamp,
});

const Handset = Type.Object({
  messages: Type.Array(HandsetMessage),
  airtime: Type.Array(Type.Unknown()),
  data: Type.Array(Type.Unknown()),
});

const WriteBody = closed({
  channel: Type.Literal("sms"),
  message: Type.String({ minLength: 1, maxLength: 1_000 }),
});

const Written = Type.Object({
  channel: Type.Literal("sms"),
  from: Type.String(),
  to: Type.String(),
  message: Type.String(),
});
const Params = Type.Object({
  phone: Type.String({
    maxLength: 40,
    description: "The handset's number, in any form that `to` takes.",
    examples: ["+2348031234567"],
  }),
});
const TEST_ONLY = refusal(
  "test_mode_only",
  "Handsets can be looked at with test keys only: live ones are in people's pockets.",
);
const NO_SIMULATOR = refusal(
  "provider_unavailable",
  "This node knows of no simulator: the operator gives it fixed ports, under `simulators.smsc` in `afara.config.ts`.",
);
const SIMULATOR_AWAY = refusal(
  "provider_unavailable",
  "The simulator does not answer; it is started again by itself.",
  {
    retryAfterSeconds: 1,
  },
);

const EXAMPLE = {
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
  airtime: [],
  data: [],
};

export function handsetRoutes(app: Http, { smsc, ownOrders, inboundNumberOf }: HandsetRoutesOptions): void {
  app.get(
    "/test/handsets/:phone",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        errors: ["test_mode_only", "invalid_phone_number", "destination_not_supported", "provider_unavailable"],
        answerExamples: [{ status: 200, summary: "One message", value: EXAMPLE }],
      },
      schema: {
        operationId: "getHandset",
        summary: "What arrived at a handset of test mode",
        description:
          "What the account's own messages left on the handset, put together from the parts that came over the wire.",
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
      const all = await smsc.messages(phone.value).catch(() => undefined);
      if (!all) return sendRefusal(reply, SIMULATOR_AWAY);
      const ids = all.flatMap((message) => (message.orderId === undefined ? [] : [message.orderId as Uuid]));
      const own = await ownOrders(key.accountId as Uuid, ids);
      const messages = all.flatMap(({ from, text, parts, orderId, receivedAt }) =>
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
      return { messages, airtime: [], data: [] };
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
        requestExamples: { "The handset answers": { channel: "sms", message: "STOP" } },
        answerExamples: [
          {
            status: 202,
            summary: "On its way to the account",
            value: { channel: "sms", from: "+2348031234567", to: "20001", message: "STOP" },
          },
        ],
      },
      schema: {
        operationId: "writeFromHandset",
        summary: "A handset of test mode writes to the account",
        description:
          "The message goes over the wire and is stored; STOP and START count at once (`/sms/suppressions`). There is no endpoint yet that shows it: inbound messages come with webhooks.",
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
      const to = await inboundNumberOf(key.accountId as Uuid);
      if (to === undefined)
        return sendRefusal(reply, refusal("invalid_state", "The account has no number that handsets can write to."));
      const { message } = request.body;
      if (!smsc) return sendRefusal(reply, NO_SIMULATOR);
      const written = await smsc.write(phone.value, { to, message }).catch(() => undefined);
      if (written === undefined) return sendRefusal(reply, SIMULATOR_AWAY);
      return reply.code(202).send({ channel: "sms", from: formatE164(phone.value), to, message });
    },
  );
}
