import type { FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import type { Database } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { fingerprintOfLong, idempotencyKeyOf, requestUuid } from "../http/idempotency.ts";
import { sendRefusal } from "../http/refuse.ts";
import { IdParameter, moneyOf, pricedAt } from "../http/schemas.ts";
import { BULK_BODY_LIMIT_BYTES } from "../http/server.ts";
import { pointsRefused, takePoints } from "../http/take-points.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import { sumKobo } from "../kernel/kobo.ts";
import { type Fault, refusal } from "../kernel/refusal.ts";
import type { Steps } from "../kernel/slices.ts";
import { findGroup, summariseGroups } from "../orders/groups.repo.ts";
import { areSpent } from "../orders/order-keys.repo.ts";
import type { Orders } from "../orders/orders.ts";
import type { Bulks, PointerTo, SentBulk } from "./bulk.service.ts";
import { bulkView } from "./bulk.view.ts";
import { outlineOf } from "./bulk-outline.ts";
import * as descriptions from "./sms.descriptions.ts";
import * as examples from "./sms.examples.ts";
import { ACCEPT_ERRORS, BulkBody, BulkCancelled, BulkSummary, bulkAnswer, smsAuth } from "./sms.schemas.ts";
import type { SmsItem } from "./sms.service.ts";
import type { SmsCaller } from "./terms.ts";

export interface BulkRoutesOptions {
  readonly db: Database;
  readonly bulks: Bulks;
  readonly orders: Orders;
  readonly callerWith: (key: KeyRecord) => SmsCaller;
}

/** A bulk up to this size costs little: its recipients are counted exactly, after those that are not accepted are left out. */
const SMALL_BYTES = 64 * 1024;

/** Texts of one item: what is wrong with them is that item's fault. */
const ITEM_TEXT = /^\/(?:to\/\d+|messages\/\d+\/(?:to|message|reference))$/;

const EITHER_OR = "Send either `to` (numbers) with one `message`, or `messages` (each with `to` and `message`).";

/** What is missing or too much in a body that is neither of the two forms. */
function eitherOrFaults({ to, message, messages }: Static<typeof BulkBody>): Fault[] {
  const faultAt = (field: "to" | "message", code: "required" | "not_together"): Fault => ({
    pointer: `/${field}`,
    code,
    detail: code === "required" ? EITHER_OR : `\`${field}\` does not go with \`messages\`. ${EITHER_OR}`,
  });
  if (messages)
    return [
      ...(to === undefined ? [] : [faultAt("to", "not_together")]),
      ...(message === undefined ? [] : [faultAt("message", "not_together")]),
    ];
  return [
    ...(to === undefined ? [faultAt("to", "required")] : []),
    ...(message === undefined ? [faultAt("message", "required")] : []),
  ];
}

/** `POST /sms/bulk`, what became of a bulk, and its cancel. */
export function bulkRoutes(app: Http, { db, bulks, orders, callerWith }: BulkRoutesOptions): void {
  app.post(
    "/sms/bulk",
    {
      bodyLimit: BULK_BODY_LIMIT_BYTES,
      config: {
        auth: smsAuth("send", "sms-bulk"),
        errors: [...ACCEPT_ERRORS, "no_acceptable_recipient"],
        idempotency: "optional",
        large: { look: refusedAtOnce, itemTexts: (pointer) => ITEM_TEXT.test(pointer) },
        requestExamples: examples.BULK,
        answerExamples: examples.BULK_ACCEPTED,
      },
      schema: {
        operationId: "sendBulkSms",
        summary: "Send up to 10,000 SMS at once",
        description: descriptions.BULK,
        tags: ["SMS"],
        body: BulkBody,
        response: { 202: bulkAnswer(app.edge.problems.faultCodes) },
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
        return sendRefusal(reply, refusal("validation_failed", EITHER_OR, { errors: eitherOrFaults(request.body) }));
      const caller = callerWith(callerOf(request));
      const gone = request.work?.gone;
      const { inSlices } = app.edge;
      const fingerprint = await inSlices(fingerprintOfLong("POST", "/sms/bulk", request.body), gone);
      const keys = { idempotencyKey: key.value, fingerprint, requestId: requestUuid(request) };
      const answer = async (sent: SentBulk) => {
        if (sent.replayed) reply.header("idempotent-replayed", "true");
        request.orderId = encodeId("blk", sent.groupId);
        return reply.code(202).send(await inSlices(answerOf(sent, options.reference)));
      };
      const pointerTo: PointerTo = (index, field) =>
        messages ? `/messages/${index}/${field}` : field === "to" ? `/to/${index}` : "/message";
      const prepared = await bulks.prepareBulk(caller, items, options, pointerTo, gone);
      if (!prepared.ok) {
        const earlier = await bulks.earlierBulk(caller, options, keys);
        return earlier ? answer(earlier) : sendRefusal(reply, prepared.error);
      }
      if (!(await bulks.isRepeatedBulk(caller, options, keys))) {
        const points = await takePoints(reply, "sms-recipients", prepared.value.orders.length);
        if (!points.ok) return sendRefusal(reply, points.error);
      }
      const sent = await bulks.sendBulk(caller, prepared.value, options, keys, gone);
      return sent.ok ? answer(sent.value) : sendRefusal(reply, sent.error);
    },
  );

  app.get(
    "/sms/bulk/:bulk_id",
    {
      config: { auth: smsAuth("read", "read"), errors: ["not_found"], answerExamples: examples.BULK_STATUS },
      schema: {
        operationId: "getSmsBulk",
        summary: "The status of a bulk",
        description: descriptions.BULK_STATUS,
        tags: ["SMS"],
        params: BulkParams,
        response: { 200: BulkSummary },
      },
    },
    async (request, reply) => {
      const group = await groupOf(callerOf(request), request.params.bulk_id);
      if (!group) return sendRefusal(reply, NO_BULK);
      const summaries = await summariseGroups(db, group.accountId, [group.id]);
      return bulkView(group, summaries.get(group.id)!);
    },
  );

  app.post(
    "/sms/bulk/:bulk_id/cancel",
    {
      config: { auth: smsAuth("send", "sms-cancel"), errors: ["not_found"], answerExamples: examples.BULK_CANCELLED },
      schema: {
        operationId: "cancelSmsBulk",
        summary: "Cancel the unsent messages of a bulk",
        description: descriptions.BULK_CANCEL,
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
        object: "bulk_cancellation" as const,
        bulk_id: encodeId("blk", group.id),
        cancelled: cancelled.length,
        too_late: group.total - cancelled.length,
        returned: moneyOf(sumKobo(cancelled.map((order) => order.priceKobo))),
      };
    },
  );

  /** A large bulk with more recipients than are left is refused before it is parsed, unless it may be the repeat of one. */
  async function refusedAtOnce(request: FastifyRequest, bytes: Buffer) {
    if (bytes.length <= SMALL_BYTES) return undefined;
    const { items, reference } = outlineOf(bytes);
    const refused = await pointsRefused(request, "sms-recipients", items);
    if (!refused) return undefined;
    const { accountId, mode } = callerOf(request);
    const key = idempotencyKeyOf(request);
    const names = [
      ...(key.ok && key.value !== undefined ? [{ kind: "key" as const, key: key.value }] : []),
      ...(reference === undefined ? [] : [{ kind: "reference" as const, key: reference }]),
    ];
    return (await areSpent(db, accountId as Uuid, mode, names)) ? undefined : refused;
  }

  function* answerOf(
    { groupId, messages, rejected, priceKobo, taxKobo, leavesAt }: SentBulk,
    reference: string | undefined,
  ): Steps<Static<ReturnType<typeof bulkAnswer>>> {
    const shown = [];
    for (const { id, to, status } of messages) {
      shown.push({ id: encodeId("msg", id), to: `+${to}`, status });
      yield;
    }
    return {
      id: encodeId("blk", groupId),
      object: "bulk" as const,
      ...(reference !== undefined && { reference }),
      accepted: messages.length,
      rejected: [...rejected],
      price: pricedAt(priceKobo, taxKobo),
      ...(leavesAt && { leaves_at: leavesAt.toISOString() }),
      messages: shown,
    };
  }

  async function groupOf(key: KeyRecord, text: string) {
    const id = decodeId("blk", text);
    const group = id && (await findGroup(db, key.accountId as Uuid, id));
    return group && group.mode === key.mode ? group : undefined;
  }
}

const BulkParams = Type.Object({ bulk_id: IdParameter("blk", "`id` of the bulk.") });
const NO_BULK = refusal("not_found", "There is no such bulk in this account and mode.");
