import Type from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import { orderCallerOf } from "../accounts/order-caller.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { fingerprintOf, idempotencyKeyOf, requestUuid } from "../http/idempotency.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import { IdParameter, listOf, priceOf } from "../http/schemas.ts";
import { addressKey } from "../kernel/address.ts";
import { decodeId, type Uuid } from "../kernel/ids.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { timeOf } from "../kernel/rfc3339.ts";
import { endOfStretch, listOrders } from "../orders/listing.repo.ts";
import type { Order } from "../orders/order.ts";
import { statesOf } from "../orders/order-views.ts";
import { findOrder } from "../orders/orders.repo.ts";
import type { Orders } from "../orders/orders.ts";
import { againRoutes } from "./again.routes.ts";
import { bulkRoutes } from "./bulk.routes.ts";
import type { Bulks } from "./bulk.service.ts";
import { NO_HOLDS } from "./charge.ts";
import { isReceived, listReceived } from "./inbound.repo.ts";
import { smsPrice } from "./prices.ts";
import { endsOf, outboundFilters, receivedView } from "./received.ts";
import * as descriptions from "./sms.descriptions.ts";
import * as examples from "./sms.examples.ts";
import {
  ACCEPT_ERRORS,
  ListQuery,
  Preview,
  PreviewBody,
  SendBody,
  SmsList,
  SmsMessage,
  SmsMessageInFull,
  smsAuth,
} from "./sms.schemas.ts";
import type { Sms } from "./sms.service.ts";
import type { SmsPlan } from "./sms.settings.ts";
import { previewText } from "./sms.ts";
import { acceptedView, messageView } from "./sms.view.ts";
import type { SmsViews } from "./sms.views.ts";
import type { SmsCaller } from "./terms.ts";

export interface SmsRoutesOptions {
  readonly db: Database;
  readonly sms: Sms;
  readonly bulks: Bulks;
  readonly orders: Orders;
  readonly views: SmsViews;
  readonly planOf: (service: "sms", planId: string) => SmsPlan;
  readonly config: ConfigFile;
}

/** `POST /sms/send` and the rest of the SMS service. */
export function smsRoutes(app: Http, { db, sms, bulks, orders, views, planOf, config }: SmsRoutesOptions): void {
  const callerWith = (key: KeyRecord): SmsCaller => ({
    ...orderCallerOf(key, planOf("sms", key.subscriptions.sms!.plan)),
    ...(key.defaultSender !== null && { defaultSender: key.defaultSender }),
  });

  app.post(
    "/sms/send",
    {
      config: {
        auth: smsAuth("send", "sms-send"),
        errors: ACCEPT_ERRORS,
        idempotency: "optional",
        requestExamples: examples.SEND,
        answerExamples: examples.SENT,
      },
      schema: {
        operationId: "sendSms",
        summary: "Send one SMS",
        description: descriptions.SEND,
        tags: ["SMS"],
        body: SendBody,
        response: { 202: SmsMessage },
      },
    },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const { to, message, reference, ...options } = request.body;
      const sent = await sms.send(
        callerWith(callerOf(request)),
        { to, message, ...(reference !== undefined && { reference }) },
        options,
        {
          idempotencyKey: key.value,
          fingerprint: fingerprintOf("POST", "/sms/send", request.body),
          requestId: requestUuid(request),
        },
      );
      if (!sent.ok) return sendRefusal(reply, sent.error);
      if (sent.value.replayed) reply.header("idempotent-replayed", "true");
      const view = acceptedView(sent.value.order);
      request.orderId = view.id;
      return reply.code(202).send(view);
    },
  );

  app.get(
    "/sms/status/:message_id",
    {
      config: { auth: smsAuth("read", "read"), errors: ["not_found"], answerExamples: examples.STATUS },
      schema: {
        operationId: "getSms",
        summary: "A message with its timeline",
        description: descriptions.STATUS,
        tags: ["SMS"],
        params: MessageParams,
        response: { 200: SmsMessageInFull },
      },
    },
    async (request, reply) => {
      const order = await messageOf(callerOf(request), request.params.message_id);
      if (!order) return sendRefusal(reply, await noMessage(callerOf(request), request.params.message_id));
      return views.inFull(order);
    },
  );

  app.post(
    "/sms/cancel/:message_id",
    {
      config: {
        auth: smsAuth("send", "sms-cancel"),
        errors: ["not_found", "invalid_state"],
        answerExamples: examples.CANCELLED,
      },
      schema: {
        operationId: "cancelSms",
        summary: "Cancel a message that has not left",
        description: descriptions.CANCEL,
        tags: ["SMS"],
        params: MessageParams,
        response: { 200: SmsMessage },
      },
    },
    async (request, reply) => {
      const order = await messageOf(callerOf(request), request.params.message_id);
      if (!order) return sendRefusal(reply, await noMessage(callerOf(request), request.params.message_id));
      const cancelled = await orders.cancel(order);
      return cancelled.ok ? messageView(cancelled.value, NO_HOLDS) : sendRefusal(reply, cancelled.error);
    },
  );

  app.post(
    "/sms/preview",
    {
      config: {
        auth: smsAuth("read", "sms-preview"),
        requestExamples: examples.PREVIEW,
        answerExamples: examples.PREVIEWED,
      },
      schema: {
        operationId: "previewSms",
        summary: "Encoding, segments and price of a text, free of charge",
        description: descriptions.PREVIEW,
        tags: ["SMS"],
        body: PreviewBody,
        response: { 200: Preview },
      },
    },
    async (request, reply) => {
      const { message, smart_encoding: smart } = request.body;
      const previewed = previewText(message, smart ?? false);
      if (!previewed.ok) {
        return sendRefusal(reply, refusal("validation_failed", previewed.error.detail, { errors: [previewed.error] }));
      }
      const preview = previewed.value;
      const plan = callerWith(callerOf(request)).plan;
      return {
        object: "sms_preview" as const,
        encoding: preview.encoding,
        segments: preview.segments,
        units_used: preview.units,
        units_left: preview.unitsLeft,
        non_gsm_characters: [...preview.nonGsmCharacters],
        ...(preview.replacements.length > 0 && { replacements: [...preview.replacements] }),
        ...(preview.suggestion && {
          suggestion: {
            message: preview.suggestion.text,
            segments: preview.suggestion.segments,
            replacements: [...preview.suggestion.replacements],
          },
        }),
        price: priceOf(smsPrice(plan, "transactional", null, preview.segments), config.vatBasisPoints),
      };
    },
  );

  app.get(
    "/sms/messages",
    {
      config: {
        auth: smsAuth("read", "read"),
        errors: ["invalid_cursor", "invalid_phone_number"],
        answerExamples: examples.LIST,
      },
      schema: {
        operationId: "listSms",
        summary: "Sent or received messages, newest first",
        description: descriptions.LIST,
        tags: ["SMS"],
        querystring: ListQuery,
        response: { 200: SmsList },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { filters, rowLimit, beforeId } = page.value;
      if (filters.direction === "inbound") {
        const senseless = outboundFilters(filters);
        if (senseless) return sendRefusal(reply, senseless);
        const written = await listReceived(db, {
          accountId: key.accountId as Uuid,
          mode: key.mode,
          limit: rowLimit,
          ...endsOf(filters),
          ...(filters.created_after !== undefined && { receivedFrom: timeOf(filters.created_after) }),
          ...(filters.created_before !== undefined && { receivedBefore: timeOf(filters.created_before) }),
          ...(beforeId && { afterId: beforeId }),
        });
        return page.value.answer(written, receivedView);
      }
      const to = filters.to === undefined ? undefined : parseMsisdn(filters.to, key.mode);
      if (to && !to.ok)
        return sendRefusal(
          reply,
          refusal(to.error.code, to.error.detail, {
            errors: [{ parameter: "to", code: to.error.code, detail: to.error.detail }],
          }),
        );
      const groupId = filters.bulk_id === undefined ? undefined : decodeId("blk", filters.bulk_id);
      if (filters.bulk_id !== undefined && groupId === undefined) return listOf<ReturnType<typeof messageView>>([]);
      const span = {
        accountId: key.accountId as Uuid,
        ...(filters.created_after !== undefined && { createdAfter: timeOf(filters.created_after) }),
        ...(filters.created_before !== undefined && { createdBefore: timeOf(filters.created_before) }),
        ...(beforeId && { beforeId }),
      };
      const isSenderAlone = filters.from !== undefined && !to && !groupId && filters.reference === undefined;
      const downTo = isSenderAlone ? await endOfStretch(db, span) : undefined;
      const found = await listOrders(db, {
        ...span,
        mode: key.mode,
        among: [statesOf("sms", views, filters.status)],
        limit: rowLimit,
        ...(downTo && { downTo }),
        ...(to && { recipient: to.value }),
        ...(filters.from !== undefined && { sender: addressKey(filters.from) }),
        ...(groupId && { groupId }),
        ...(filters.reference !== undefined && { reference: filters.reference }),
      });
      return page.value.answerWith(found, views.listed, downTo);
    },
  );

  bulkRoutes(app, { db, bulks, orders, callerWith });
  againRoutes(app, { db, sms, callerWith, messageOf, config });

  async function messageOf(key: KeyRecord, text: string): Promise<Order | undefined> {
    const id = decodeId("msg", text);
    const order = id && (await findOrder(db, key.accountId as Uuid, id));
    return order && order.mode === key.mode && order.service === "sms" ? order : undefined;
  }

  async function noMessage(key: KeyRecord, text: string): Promise<Refusal> {
    const id = decodeId("msg", text);
    const isInbound = id && (await isReceived(db, { id, mode: key.mode }, key.accountId as Uuid));
    return isInbound ? INBOUND : NO_MESSAGE;
  }
}

const MessageParams = Type.Object({ message_id: IdParameter("msg", "`id` of the message.") });
const INBOUND = refusal(
  "not_found",
  "This message was written to you, so it has no status and nothing to cancel: GET /sms/messages?direction=inbound lists it.",
);
const NO_MESSAGE = refusal("not_found", "There is no such message in this account and mode.");
