import Type from "typebox";
import { actorOf } from "../accounts/actor.ts";
import type { KeyRecord } from "../accounts/key-record.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import { closed, ListOf, named, oneOf, paging, Timestamp } from "../http/schemas.ts";
import { CHAT_ADDRESS_MAX, parseChatAddress } from "../kernel/chat-address.ts";
import type { Uuid } from "../kernel/ids.ts";
import { formatE164, type PhoneFault } from "../kernel/msisdn.ts";
import { type Fault, refusal } from "../kernel/refusal.ts";
import { listSuppressions, suppress, unsuppress } from "./suppressions.repo.ts";
import type { SuppressionsOptions } from "./suppressions.service.ts";
import { SUPPRESSION_CHANNELS, SUPPRESSION_SOURCES, type Suppression } from "./suppressions.ts";

const Channel = named("SuppressedChannel", oneOf(SUPPRESSION_CHANNELS));

const SuppressionAnswer = Type.Object(
  {
    object: Type.Literal("suppression"),
    phone: Type.Optional(
      Type.String({ description: "The person's current phone; absent if never reported, or erased." }),
    ),
    user_id: Type.Optional(Type.String({ description: "The vendor's id of a chat user." })),
    channel: {
      ...Channel,
      description: "Its scope: `sms` stops promotional SMS, `chat` marketing templates, `all` both.",
    },
    source: oneOf(
      SUPPRESSION_SOURCES,
      "The origin: the recipient, the network by its Do-Not-Disturb answer, or the account itself.",
    ),
    reason: Type.String({
      description:
        "`stop`: typed. `button`: an opt-out button of a chat message. `preference`: chosen in the app, or known to the vendor. Otherwise `dnd`, or the reason that the account gave.",
    }),
    created_at: Timestamp,
    expires_at: Type.Optional({
      ...Timestamp,
      description: "Do-Not-Disturb lasts 30 days from the last such answer.",
    }),
  },
  { title: "SmsSuppression" },
);

const Phone = Type.String({
  minLength: 1,
  maxLength: CHAT_ADDRESS_MAX,
  description: "The number, in any form that `to` accepts, or the `user_id` of someone who hides it.",
  examples: ["+2348031234567"],
});
const UserId = Type.String({
  minLength: 1,
  maxLength: CHAT_ADDRESS_MAX,
  description: "The vendor's id of a person, as `GET /chat/messages` shows it.",
  examples: ["NG.13491208655302741918"],
});
const SuppressBody = closed(
  {
    phone: Type.Optional(Phone),
    user_id: Type.Optional(UserId),
    channel: Type.Optional({ ...Channel, description: "What to stop; `all` by default." }),
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "For yourself; `manual` by default." }),
    ),
  },
  { description: "Give exactly one of `phone` and `user_id`." },
);
const Params = Type.Object({ phone: Phone });
const ListQuery = closed({
  ...paging,
  phone: Type.Optional(Phone),
  user_id: Type.Optional(UserId),
  channel: Type.Optional({ ...Channel, description: "Only entries of exactly this channel." }),
});

const EXAMPLE = {
  object: "suppression",
  phone: "+2348031234567",
  channel: "all",
  source: "recipient",
  reason: "stop",
  created_at: "2026-11-27T09:00:00.000Z",
};
const PHONE_ERRORS = ["invalid_phone_number", "destination_not_supported"] as const;

/** `/sms/suppressions`: people who get no promotional messages from the account, in this mode. */
export function suppressionRoutes(app: Http, { db, clock, erasedName }: SuppressionsOptions): void {
  app.get(
    "/sms/suppressions",
    {
      config: {
        auth: { service: "sms", scope: "read", policy: "read" },
        errors: ["invalid_cursor", ...PHONE_ERRORS],
        answerExamples: [
          {
            status: 200,
            summary: "A recipient who sent STOP",
            value: { object: "list", data: [EXAMPLE], has_more: false },
          },
        ],
      },
      schema: {
        operationId: "listSmsSuppressions",
        summary: "Recipients excluded from promotional messages",
        description: `Newest first; with \`phone\` or \`user_id\` those of one person, by any of the person's addresses. A person is listed once for each
\`channel\` and \`source\`.

A recipient who types STOP (also STOPALL, UNSUBSCRIBE, CANCEL, END, QUIT, OPT OUT, REMOVE ME, “stop sending me messages”; as the whole message, in any
spelling) is added for all channels, and removed by START or UNSTOP. An opt-out button under a marketing template, and a choice
in WhatsApp's own settings, apply to marketing by \`chat\` only. A promotional message refused with Do-Not-Disturb adds its
recipient for 30 days. Transactional messages are unaffected.

Phone, \`user_id\` and a changed number count as one person, as far as the vendor has reported the link.`,
        tags: ["SMS"],
        querystring: ListQuery,
        response: { 200: ListOf(SuppressionAnswer) },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { filters, rowLimit, beforeId } = page.value;
      const parameter = filters.user_id === undefined ? "phone" : "user_id";
      const given = filters[parameter];
      if (filters.phone !== undefined && filters.user_id !== undefined)
        return sendRefusal(reply, oneOfTwo("not_together", { parameter: "user_id" }));
      const address = given === undefined ? undefined : parseChatAddress(given, key.mode);
      if (address && !address.ok) return sendRefusal(reply, phoneRefusal(address.error, { parameter }));
      const filter = {
        ...whose(key),
        address: address?.value,
        channel: filters.channel,
        beforeId,
        limit: rowLimit,
      };
      const found = await listSuppressions(db, filter, clock.now(), erasedName);
      return page.value.answer(found, view);
    },
  );

  app.post(
    "/sms/suppressions",
    {
      config: {
        auth: { service: "sms", scope: "send", policy: "manage" },
        errors: PHONE_ERRORS,
        requestExamples: { "At a customer's request by mail": { phone: "08031234567", reason: "asked by mail" } },
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
        summary: "Exclude a recipient from promotional messages",
        description: "Give `phone` or `user_id`. A repeat is harmless; it updates the reason.",
        tags: ["SMS"],
        body: SuppressBody,
        response: { 201: SuppressionAnswer },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const { phone, user_id: userId, channel = "all", reason = "manual" } = request.body;
      const given = phone ?? userId;
      if (given === undefined) return sendRefusal(reply, oneOfTwo("required", { pointer: "/phone" }));
      if (phone !== undefined && userId !== undefined)
        return sendRefusal(reply, oneOfTwo("not_together", { pointer: "/user_id" }));
      const address = parseChatAddress(given, key.mode);
      const pointer = phone === undefined ? "/user_id" : "/phone";
      if (!address.ok) return sendRefusal(reply, phoneRefusal(address.error, { pointer }));
      const suppressed = await suppress(
        db,
        { ...whose(key), address: address.value },
        { channel, reason },
        clock.now(),
      );
      return reply.code(201).send(view(suppressed));
    },
  );

  app.delete(
    "/sms/suppressions/:phone",
    {
      config: { auth: { service: "sms", scope: "send", policy: "manage" }, errors: ["not_found", ...PHONE_ERRORS] },
      schema: {
        operationId: "unsuppressSmsRecipient",
        summary: "Remove a recipient from the list",
        description:
          "Applies to all channels and origins; if the recipient sent STOP, the key needs the scope `manage`, and the removal is recorded in the operator's audit log. Do this only at the recipient's request: people who sent STOP and still receive promotional messages complain to the regulator.",
        tags: ["SMS"],
        params: Params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const address = parseChatAddress(request.params.phone, key.mode);
      if (!address.ok) return sendRefusal(reply, address.error);
      const what = await unsuppress(
        db,
        {
          ...whose(key),
          address: address.value,
          actor: actorOf(key),
          mayOverrule: key.scopes.includes("manage"),
        },
        clock.now(),
        erasedName,
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
  "This person is not suppressed in this account and mode, so nothing was changed.",
);

const whose = (key: KeyRecord) => ({ accountId: key.accountId as Uuid, mode: key.mode });

const oneOfTwo = (code: "required" | "not_together", place: Pick<Fault, "pointer" | "parameter">) => {
  const detail = `Give one of \`phone\` and \`user_id\`${code === "required" ? "" : ", not both"}.`;
  return refusal("validation_failed", detail, { errors: [{ ...place, code, detail }] });
};

const phoneRefusal = ({ code, detail }: PhoneFault, place: Pick<Fault, "pointer" | "parameter">) =>
  refusal(code, detail, { errors: [{ ...place, code, detail }] });

const view = (suppression: Suppression) => ({
  object: "suppression" as const,
  ...(suppression.phone !== null && { phone: formatE164(suppression.phone) }),
  ...(suppression.userId !== null && { user_id: suppression.userId }),
  channel: suppression.channel,
  source: suppression.source,
  reason: suppression.reason,
  created_at: suppression.createdAt.toISOString(),
  ...(suppression.expiresAt && { expires_at: suppression.expiresAt.toISOString() }),
});
