import Type from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import type { ConfigFile, PlanConfig } from "../config-file.ts";
import type { Database } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import { decodeCursor, encodeCursor } from "../http/cursor.ts";
import type { Http } from "../http/edge.ts";
import { fingerprintOf, idempotencyKeyOf } from "../http/idempotency.ts";
import { sendRefusal } from "../http/refuse.ts";
import { LIST_LIMIT_DEFAULT, moneyOf, priceOf } from "../http/schemas.ts";
import { BULK_BODY_LIMIT_BYTES } from "../http/server.ts";
import { takePoints } from "../http/take-points.ts";
import type { Clock } from "../kernel/clock.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import { sumKobo } from "../kernel/kobo.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import { refusal } from "../kernel/refusal.ts";
import { findGroup, summariseGroup } from "../orders/groups.repo.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, listOrders, readTimeline } from "../orders/orders.repo.ts";
import type { Orders } from "../orders/orders.ts";
import { smsPrice } from "./prices.ts";
import * as examples from "./sms.examples.ts";
import {
  BulkAnswer,
  BulkBody,
  BulkCancelled,
  BulkSummary,
  ListQuery,
  Preview,
  PreviewBody,
  SendBody,
  SmsList,
  SmsMessage,
  SmsMessageInFull,
} from "./sms.schemas.ts";
import type { SentBulk, Sms, SmsCaller, SmsItem } from "./sms.service.ts";
import { previewText } from "./sms.ts";
import { acceptedView, messageInFull, messageView } from "./sms.view.ts";

export interface SmsRoutesOptions {
  readonly db: Database;
  readonly sms: Sms;
  readonly orders: Orders;
  readonly clock: Clock;
  readonly planOf: (service: string, planId: string) => PlanConfig;
  readonly config: ConfigFile;
}

const ACCEPT_ERRORS = [
  "insufficient_balance",
  "invalid_phone_number",
  "destination_not_supported",
  "message_too_long",
  "sender_not_approved",
  "outside_quiet_hours",
  "idempotency_key_reused",
  "idempotency_in_progress",
  "reference_already_used",
  "quota_exceeded",
  "database_unavailable",
  "overloaded",
  "acceptance_unknown",
] as const;

const auth = (scope: "send" | "read", policy: string) => ({ service: "sms", scope, policy }) as const;

/** `POST /sms/send` and the rest of the SMS service. */
export function smsRoutes(app: Http, { db, sms, orders, clock, planOf, config }: SmsRoutesOptions): void {
  const callerWith = (key: KeyRecord): SmsCaller => ({
    accountId: key.accountId as Uuid,
    mode: key.mode,
    plan: planOf("sms", key.subscriptions.sms!.plan),
  });

  app.post(
    "/sms/send",
    {
      config: {
        auth: auth("send", "sms-send"),
        errors: ACCEPT_ERRORS,
        idempotency: "optional",
        requestExamples: examples.SEND,
        answerExamples: examples.SENT,
      },
      schema: {
        operationId: "sendSms",
        summary: "Send one SMS",
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
        },
      );
      if (!sent.ok) return sendRefusal(reply, sent.error);
      if (sent.value.replayed) reply.header("idempotent-replayed", "true");
      return reply.code(202).send(sent.value.replayed ? acceptedView(sent.value.order) : messageView(sent.value.order));
    },
  );

  app.post(
    "/sms/bulk",
    {
      bodyLimit: BULK_BODY_LIMIT_BYTES,
      config: {
        auth: auth("send", "sms-bulk"),
        errors: [...ACCEPT_ERRORS, "no_acceptable_recipient"],
        idempotency: "optional",
        requestExamples: examples.BULK,
        answerExamples: examples.BULK_ACCEPTED,
      },
      schema: {
        operationId: "sendBulkSms",
        summary: "Send up to 10,000 SMS at once",
        tags: ["SMS"],
        body: BulkBody,
        response: { 202: BulkAnswer },
      },
    },
    async (request, reply) => {
      const key = idempotencyKeyOf(request);
      if (!key.ok) return sendRefusal(reply, key.error);
      const { to, message, messages, ...options } = request.body;
      const items: readonly SmsItem[] | undefined =
        to && message !== undefined && !messages
          ? to.map((number) => ({ to: number, message }))
          : messages && !to && message === undefined
            ? messages
            : undefined;
      if (!items)
        return sendRefusal(
          reply,
          refusal(
            "validation_failed",
            "Send either `to` (numbers) with one `message`, or `messages` (each with `to` and `message`).",
          ),
        );
      const caller = callerWith(callerOf(request));
      const keys = { idempotencyKey: key.value, fingerprint: fingerprintOf("POST", "/sms/bulk", request.body) };
      const answer = ({ groupId, messages: accepted, rejected, priceKobo, replayed }: SentBulk) => {
        if (replayed) reply.header("idempotent-replayed", "true");
        return reply.code(202).send({
          id: encodeId("blk", groupId),
          accepted: accepted.length,
          rejected: [...rejected],
          price: priceOf(priceKobo, config.vatBasisPoints),
          messages: accepted.map(({ id, to: number, status }) => ({
            id: encodeId("msg", id),
            to: `+${number}`,
            status,
          })),
        });
      };
      const prepared = sms.prepareBulk(caller, items, options, (index, field) =>
        messages ? `/messages/${index}/${field}` : field === "to" ? `/to/${index}` : "/message",
      );
      if (!prepared.ok) {
        const earlier = await sms.earlierBulk(caller, options, keys);
        return earlier ? answer(earlier) : sendRefusal(reply, prepared.error);
      }
      const points = await takePoints(reply, "sms-recipients", prepared.value.orders.length);
      if (!points.ok) return sendRefusal(reply, points.error);
      const sent = await sms.sendBulk(caller, prepared.value, options, keys);
      return sent.ok ? answer(sent.value) : sendRefusal(reply, sent.error);
    },
  );

  app.get(
    "/sms/bulk/:bulk_id",
    {
      config: { auth: auth("read", "read"), errors: ["not_found"], answerExamples: examples.BULK_STATUS },
      schema: {
        operationId: "getSmsBulk",
        summary: "What became of a bulk",
        tags: ["SMS"],
        params: BulkParams,
        response: { 200: BulkSummary },
      },
    },
    async (request, reply) => {
      const group = await groupOf(callerOf(request), request.params.bulk_id);
      if (!group) return sendRefusal(reply, NO_BULK);
      const summary = await summariseGroup(db, group.accountId, group.id);
      return {
        id: request.params.bulk_id,
        counts: { ...summary.counts },
        price: {
          held: moneyOf(summary.heldKobo),
          taken: moneyOf(summary.takenKobo),
          returned: moneyOf(summary.returnedKobo),
        },
        created_at: group.createdAt.toISOString(),
        ...(group.endedAt && { completed_at: group.endedAt.toISOString() }),
      };
    },
  );

  app.post(
    "/sms/bulk/:bulk_id/cancel",
    {
      config: { auth: auth("send", "sms-cancel"), errors: ["not_found"], answerExamples: examples.BULK_CANCELLED },
      schema: {
        operationId: "cancelSmsBulk",
        summary: "Cancel what of a bulk has not left",
        tags: ["SMS"],
        params: BulkParams,
        response: { 200: BulkCancelled },
      },
    },
    async (request, reply) => {
      const group = await groupOf(callerOf(request), request.params.bulk_id);
      if (!group) return sendRefusal(reply, NO_BULK);
      const { cancelled } = await orders.cancelGroup(group.accountId, group.id);
      return {
        cancelled: cancelled.length,
        too_late: group.total - cancelled.length,
        returned: moneyOf(sumKobo(cancelled.map((order) => order.priceKobo))),
      };
    },
  );

  app.get(
    "/sms/status/:message_id",
    {
      config: { auth: auth("read", "read"), errors: ["not_found"], answerExamples: examples.STATUS },
      schema: {
        operationId: "getSms",
        summary: "A message with its timeline",
        tags: ["SMS"],
        params: MessageParams,
        response: { 200: SmsMessageInFull },
      },
    },
    async (request, reply) => {
      const order = await messageOf(callerOf(request), request.params.message_id);
      if (!order) return sendRefusal(reply, NO_MESSAGE);
      return messageInFull(order, await readTimeline(db, order.accountId, order.id), clock.now());
    },
  );

  app.post(
    "/sms/cancel/:message_id",
    {
      config: {
        auth: auth("send", "sms-cancel"),
        errors: ["not_found", "invalid_state"],
        answerExamples: examples.CANCELLED,
      },
      schema: {
        operationId: "cancelSms",
        summary: "Cancel a message that has not left",
        tags: ["SMS"],
        params: MessageParams,
        response: { 200: SmsMessage },
      },
    },
    async (request, reply) => {
      const order = await messageOf(callerOf(request), request.params.message_id);
      if (!order) return sendRefusal(reply, NO_MESSAGE);
      const cancelled = await orders.cancel(order);
      return cancelled.ok ? messageView(cancelled.value) : sendRefusal(reply, cancelled.error);
    },
  );

  app.post(
    "/sms/preview",
    {
      config: {
        auth: auth("read", "sms-preview"),
        requestExamples: examples.PREVIEW,
        answerExamples: examples.PREVIEWED,
      },
      schema: {
        operationId: "previewSms",
        summary: "Encoding, segments and price of a text, free of charge",
        tags: ["SMS"],
        body: PreviewBody,
        response: { 200: Preview },
      },
    },
    (request, reply) => {
      const { message, smart_encoding: smart } = request.body;
      const previewed = previewText(message, smart ?? false);
      if (!previewed.ok) {
        return sendRefusal(reply, refusal("validation_failed", previewed.error.detail, { errors: [previewed.error] }));
      }
      const preview = previewed.value;
      const plan = callerWith(callerOf(request)).plan;
      return {
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
        auth: auth("read", "read"),
        errors: ["invalid_cursor", "invalid_phone_number"],
        answerExamples: examples.LIST,
      },
      schema: {
        operationId: "listSms",
        summary: "Messages, newest first",
        tags: ["SMS"],
        querystring: ListQuery,
        response: { 200: SmsList },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const { limit = LIST_LIMIT_DEFAULT, after, ...filters } = request.query;
      const cursor = after === undefined ? undefined : decodeCursor(after, filters);
      if (cursor && !cursor.ok) return sendRefusal(reply, cursor.error);
      const to = filters.to === undefined ? undefined : parseMsisdn(filters.to, key.mode);
      if (to && !to.ok)
        return sendRefusal(
          reply,
          refusal(to.error.code, to.error.detail, {
            errors: [{ parameter: "to", code: to.error.code, detail: to.error.detail }],
          }),
        );
      const groupId = filters.bulk_id === undefined ? undefined : decodeId("blk", filters.bulk_id);
      if (filters.bulk_id !== undefined && groupId === undefined) return { data: [], has_more: false };
      const found = await listOrders(db, {
        accountId: key.accountId as Uuid,
        mode: key.mode,
        service: "sms",
        limit: limit + 1,
        ...(filters.status !== undefined && { state: filters.status }),
        ...(to && { recipient: to.value }),
        ...(groupId && { groupId }),
        ...(filters.reference !== undefined && { reference: filters.reference }),
        ...(filters.created_after !== undefined && { createdAfter: new Date(filters.created_after) }),
        ...(filters.created_before !== undefined && { createdBefore: new Date(filters.created_before) }),
        ...(cursor && { beforeId: cursor.value }),
      });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(messageView),
        has_more: found.length > limit,
        ...(found.length > limit && last && { next_cursor: encodeCursor(last.id, filters) }),
      };
    },
  );

  async function messageOf(key: KeyRecord, text: string): Promise<Order | undefined> {
    const id = decodeId("msg", text);
    const order = id && (await findOrder(db, key.accountId as Uuid, id));
    return order && order.mode === key.mode && order.service === "sms" ? order : undefined;
  }

  async function groupOf(key: KeyRecord, text: string) {
    const id = decodeId("blk", text);
    const group = id && (await findGroup(db, key.accountId as Uuid, id));
    return group && group.mode === key.mode ? group : undefined;
  }
}

const MessageParams = Type.Object({ message_id: Type.String({ maxLength: 100 }) });
const BulkParams = Type.Object({ bulk_id: Type.String({ maxLength: 100 }) });
const NO_MESSAGE = refusal("not_found", "There is no such message in this account and mode.");
const NO_BULK = refusal("not_found", "There is no such bulk in this account and mode.");
