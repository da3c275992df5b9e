import Type from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import type { Database } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import { decodeCursor, encodeCursor } from "../http/cursor.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { closed, LIST_LIMIT_DEFAULT, ListOf, paging, Timestamp } from "../http/schemas.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { formatE164, type PhoneFault, parseMsisdn } from "../kernel/msisdn.ts";
import { type Fault, refusal } from "../kernel/refusal.ts";
import { oneOf } from "./sms.schemas.ts";
import { listSuppressions, suppress, unsuppress } from "./suppressions.repo.ts";
import { SUPPRESSION_SOURCES, type Suppression } from "./suppressions.ts";

const SuppressionAnswer = Type.Object(
  {
    phone: Type.String(),
    source: oneOf(
      SUPPRESSION_SOURCES,
      "Who said so: the recipient by STOP, the network by its Do-Not-Disturb answer, or the account itself.",
    ),
    reason: Type.String({ description: "`stop`, `dnd`, or what the account gave." }),
    created_at: Timestamp,
    expires_at: Type.Optional({
      ...Timestamp,
      description: "Do-Not-Disturb counts for 30 days after the last answer.",
    }),
  },
  { title: "SmsSuppression" },
);

const Phone = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "The number, in any form that `to` takes.",
  examples: ["+2348031234567"],
});
const SuppressBody = closed({
  phone: Phone,
  reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "For yourself; `manual` unless told." }),
  ),
});
const Params = Type.Object({ phone: Type.String({ ...Phone, maxLength: 100 }) });
const ListQuery = closed({ ...paging, phone: Type.Optional(Phone) });

const EXAMPLE = {
  phone: "+2348031234567",
  source: "recipient",
  reason: "stop",
  created_at: "2026-11-27T09:00:00.000Z",
};
const PHONE_ERRORS = ["invalid_phone_number", "destination_not_supported"] as const;

/** `/sms/suppressions`: numbers that get no promotional messages from the account, in this mode. */
export function suppressionRoutes(app: Http, { db, clock }: { readonly db: Database; readonly clock: Clock }): void {
  app.get(
    "/sms/suppressions",
    {
      config: {
        auth: { service: "sms", scope: "read", policy: "read" },
        errors: ["invalid_cursor", ...PHONE_ERRORS],
        answerExamples: [{ status: 200, summary: "One that said STOP", value: { data: [EXAMPLE], has_more: false } }],
      },
      schema: {
        operationId: "listSmsSuppressions",
        summary: "Numbers that get no promotional messages",
        description: `Newest first; with \`phone\` those of one number. A number stands here once for each \`source\`.

A recipient who answers STOP (also STOPALL, UNSUBSCRIBE, CANCEL, END, QUIT; the whole message, in any case) is added, and taken off again by START or UNSTOP. A
promotional message that is refused with Do-Not-Disturb adds its recipient for 30 days. Transactional messages pass.`,
        tags: ["SMS"],
        querystring: ListQuery,
        response: { 200: ListOf(SuppressionAnswer) },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const { limit = LIST_LIMIT_DEFAULT, after, ...filters } = request.query;
      const cursor = after === undefined ? undefined : decodeCursor(request, after, filters);
      if (cursor && !cursor.ok) return sendRefusal(reply, cursor.error);
      const phone = filters.phone === undefined ? undefined : parseMsisdn(filters.phone, key.mode);
      if (phone && !phone.ok) return sendRefusal(reply, phoneRefusal(phone.error, { parameter: "phone" }));
      const filter = { ...whose(key), phone: phone?.value, beforeId: cursor?.value, limit: limit + 1 };
      const found = await listSuppressions(db, filter, clock.now());
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(view),
        has_more: found.length > limit,
        ...(found.length > limit && last && { next_cursor: encodeCursor(request, last.id, filters) }),
      };
    },
  );

  app.post(
    "/sms/suppressions",
    {
      config: {
        auth: { service: "sms", scope: "send", policy: "manage" },
        errors: PHONE_ERRORS,
        requestExamples: { "A customer asked by mail": { phone: "08031234567", reason: "asked by mail" } },
        answerExamples: [
          {
            status: 201,
            summary: "Suppressed",
            value: { ...EXAMPLE, source: "account", reason: "asked by mail" },
          },
        ],
      },
      schema: {
        operationId: "suppressSmsRecipient",
        summary: "Send a number no promotional messages any more",
        description: "A repeat does no harm; it changes the reason.",
        tags: ["SMS"],
        body: SuppressBody,
        response: { 201: SuppressionAnswer },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const phone = parseMsisdn(request.body.phone, key.mode);
      if (!phone.ok) return sendRefusal(reply, phoneRefusal(phone.error, { pointer: "/phone" }));
      const reason = request.body.reason ?? "manual";
      return reply.code(201).send(view(await suppress(db, { ...whose(key), phone: phone.value }, reason, clock.now())));
    },
  );

  app.delete(
    "/sms/suppressions/:phone",
    {
      config: { auth: { service: "sms", scope: "send", policy: "manage" }, errors: ["not_found", ...PHONE_ERRORS] },
      schema: {
        operationId: "unsuppressSmsRecipient",
        summary: "Take a number off the list",
        description:
          "Whoever put it there; where the recipient has said STOP, the key needs the scope `manage`, and it is noted in the operator's audit log. Do so only when the recipient has asked for it: one who said STOP and still gets promotional messages complains to the regulator.",
        tags: ["SMS"],
        params: Params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const phone = parseMsisdn(request.params.phone, key.mode);
      if (!phone.ok) return sendRefusal(reply, phone.error);
      const what = await unsuppress(
        db,
        {
          ...whose(key),
          phone: phone.value,
          actor: { kind: "key", id: key.keyId as Uuid },
          mayOverrule: key.scopes.includes("manage"),
        },
        clock.now(),
      );
      if (what === "absent") return sendRefusal(reply, NOT_LISTED);
      if (what === "overruled") return sendRefusal(reply, SAID_STOP);
      return reply.code(204).send(null);
    },
  );
}

const SAID_STOP = refusal(
  "scope_missing",
  "The recipient has said STOP. Only a key with the scope `manage` may take that back, when the recipient has asked for it; START from the handset does it too.",
  { members: { required_scope: "manage" } },
);

const NOT_LISTED = refusal(
  "not_found",
  "This number is not suppressed in this account and mode, so nothing was changed.",
);

const whose = (key: KeyRecord) => ({ accountId: key.accountId as Uuid, mode: key.mode });

const phoneRefusal = ({ code, detail }: PhoneFault, place: Pick<Fault, "pointer" | "parameter">) =>
  refusal(code, detail, { errors: [{ ...place, code, detail }] });

const view = (suppression: Suppression) => ({
  phone: formatE164(suppression.phone),
  source: suppression.source,
  reason: suppression.reason,
  created_at: suppression.createdAt.toISOString(),
  ...(suppression.expiresAt && { expires_at: suppression.expiresAt.toISOString() }),
});
