import Type from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { fingerprintOf, requestUuid } from "../http/idempotency.ts";
import { sendRefusal } from "../http/refuse.ts";
import { Id, IdParameter, Price, priceOf } from "../http/schemas.ts";
import type { Uuid } from "../kernel/ids.ts";
import { formatE164, storedMsisdn } from "../kernel/msisdn.ts";
import { guessNetwork } from "../kernel/networks.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Order } from "../orders/order.ts";
import { readTimeline } from "../orders/orders.repo.ts";
import { againReference, termsAgain, whyNotAgain } from "./again.ts";
import { smsPrice } from "./prices.ts";
import { storedSms } from "./sms.definition.ts";
import { ACCEPT_ERRORS, SmsMessage, smsAuth } from "./sms.schemas.ts";
import type { Sms } from "./sms.service.ts";
import { acceptedView } from "./sms.view.ts";
import type { SmsCaller } from "./terms.ts";

const PATH = "/portal/api/sms/:message_id/again";
const Params = Type.Object({ message_id: IdParameter("msg", "`id` of the message.") });

const SendAgain = Type.Object(
  {
    object: Type.Literal("send_again"),
    id: Id("msg"),
    price: Price,
    why_not: Type.Optional(Type.String({ description: "It would not be safe, and why." })),
  },
  { title: "SendAgain" },
);

export interface AgainRoutesOptions {
  readonly db: Database;
  readonly sms: Sms;
  readonly callerWith: (key: KeyRecord) => SmsCaller;
  readonly messageOf: (key: KeyRecord, id: string) => Promise<Order | undefined>;
  readonly config: Pick<ConfigFile, "vatBasisPoints">;
}

/** Sends the content of a message that did not arrive once more, as a new message: for people who look at it in the portal. */
export function againRoutes(app: Http, { db, sms, callerWith, messageOf, config }: AgainRoutesOptions): void {
  const reasonOf = async (order: Order) =>
    whyNotAgain(order, await readTimeline(db, order.accountId as Uuid, order.id));

  app.get(
    PATH,
    {
      config: { auth: { ...smsAuth("read", "read"), forPeople: true }, errors: ["not_found"] },
      schema: { hide: true, params: Params, response: { 200: SendAgain } },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const { message_id: id } = request.params;
      const order = await messageOf(key, id);
      if (!order) return sendRefusal(reply, NO_MESSAGE);
      const { route, segments } = storedSms(order);
      const price = smsPrice(callerWith(key).plan, route, guessNetwork(storedMsisdn(order.recipient)), segments);
      const reason = await reasonOf(order);
      return {
        object: "send_again" as const,
        id,
        price: priceOf(price, config.vatBasisPoints),
        ...(reason !== undefined && { why_not: reason }),
      };
    },
  );

  app.post(
    PATH,
    {
      config: { auth: { ...smsAuth("send", "sms-send"), forPeople: true }, errors: [...ACCEPT_ERRORS, "not_found"] },
      schema: { hide: true, params: Params, response: { 202: SmsMessage } },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const order = await messageOf(key, request.params.message_id);
      if (!order) return sendRefusal(reply, NO_MESSAGE);
      const reason = await reasonOf(order);
      if (reason !== undefined)
        return sendRefusal(reply, refusal("invalid_state", reason, { members: { order_status: order.state } }));
      const { text } = storedSms(order);
      const sent = await sms.send(
        callerWith(key),
        { to: formatE164(storedMsisdn(order.recipient)), message: text, reference: againReference(order) },
        termsAgain(order),
        {
          idempotencyKey: undefined,
          fingerprint: fingerprintOf("POST", request.url, null),
          requestId: requestUuid(request),
        },
      );
      if (!sent.ok) return sendRefusal(reply, sent.error);
      const view = acceptedView(sent.value.order);
      request.orderId = view.id;
      return reply.code(202).send(view);
    },
  );
}

const NO_MESSAGE = refusal("not_found", "There is no such message in this account and mode.");
