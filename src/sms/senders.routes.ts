import Type from "typebox";
import { actorOf } from "../accounts/actor.ts";
import type { KeyRecord } from "../accounts/key-record.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import { closed, ListOf, named, oneOf, paging, Timestamp } from "../http/schemas.ts";
import type { Uuid } from "../kernel/ids.ts";
import { senderView } from "../ports/sms-payload.ts";
import type { Senders } from "./senders.service.ts";
import { APPROVALS, SENDER_CLASSES, type Sender } from "./senders.ts";

const Class = {
  ...named("SenderClass", oneOf(SENDER_CLASSES)),
  description: "The `route` of the messages it is for.",
};
const Approval = named("SenderApproval", oneOf(APPROVALS));
const Reason = Type.Optional(Type.String());

const SenderAnswer = Type.Object(
  {
    object: Type.Literal("sms_sender"),
    sender: Type.String(),
    class: Class,
    networks: Type.Object({ mtn: Approval, airtel: Approval, glo: Approval, "9mobile": Approval }),
    reasons: Type.Optional(
      Type.Object(
        { mtn: Reason, airtel: Reason, glo: Reason, "9mobile": Reason },
        { description: "The reason for refusal, by network, where the operator gave one." },
      ),
    ),
    evidence: Type.Optional(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "SmsSender" },
);

const SenderBody = closed({
  sender: Type.String({
    minLength: 1,
    maxLength: 20,
    description: "3–11 letters, digits and spaces with one letter at least, or a number. Case is not significant.",
  }),
  class: Class,
  evidence: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Proof that the name is yours, e.g. a company number or a trademark. The networks ask for it.",
    }),
  ),
});

const EXAMPLE = {
  object: "sms_sender",
  sender: "Acme",
  class: "transactional",
  networks: { mtn: "pending", airtel: "pending", glo: "pending", "9mobile": "pending" },
  evidence: "Acme Stores Ltd, RC 1234567",
  created_at: "2026-11-27T09:00:00.000Z",
  updated_at: "2026-11-27T09:00:00.000Z",
};

const REFUSED = {
  ...EXAMPLE,
  networks: { mtn: "approved", airtel: "approved", glo: "refused", "9mobile": "pending" },
  reasons: { glo: "The name is a bank's: send a letter of the company." },
  updated_at: "2026-11-28T10:12:00.000Z",
};

/** `/sms/senders`: which names an account's messages may carry. */
export function senderRoutes(app: Http, { senders }: { readonly senders: Senders }): void {
  app.get(
    "/sms/senders",
    {
      config: {
        auth: { service: "sms", scope: "read", policy: "read" },
        errors: ["invalid_cursor"],
        answerExamples: [
          { status: 200, summary: "Awaiting approval", value: { object: "list", data: [EXAMPLE], has_more: false } },
          {
            status: 200,
            summary: "Refused by a network",
            value: { object: "list", data: [REFUSED], has_more: false },
          },
        ],
      },
      schema: {
        operationId: "listSmsSenders",
        summary: "Sender IDs and their approvals",
        description:
          "The account's own, newest first. `reasons` explains refusals, by network. The gateway's default sender is not listed: every account may use it, and `from` may be omitted.",
        tags: ["SMS"],
        querystring: closed(paging),
        response: { 200: ListOf(SenderAnswer) },
      },
    },
    async (request, reply) => {
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { beforeId, rowLimit, answer } = page.value;
      return answer(await senders.list(whose(callerOf(request)), beforeId, rowLimit), view);
    },
  );

  app.post(
    "/sms/senders",
    {
      config: {
        auth: { service: "sms", scope: "manage", policy: "manage", permission: "manage_senders" },
        errors: ["invalid_state"],
        requestExamples: {
          "A shop's name": { sender: "Acme", class: "transactional", evidence: "Acme Stores Ltd, RC 1234567" },
        },
        answerExamples: [
          { status: 201, summary: "Awaiting the operator", value: EXAMPLE },
          { status: 200, summary: "Requested again", value: EXAMPLE },
        ],
      },
      schema: {
        operationId: "registerSmsSender",
        summary: "Request a sender ID",
        description: `The gateway's operator then approves it for each network; an approval takes effect within five seconds. A live message under any other sender is
refused with \`sender_not_approved\`, going by the network of the recipient's prefix; for a prefix without a network, approval on any is
enough.

\`reasons\` explains a refusal, as does the \`detail\` of a refused send. Registering the same name again (200) asks again where it was refused; another \`class\` asks again everywhere. In test mode every well-formed sender
passes, and a registered one is approved at once.`,
        tags: ["SMS"],
        body: SenderBody,
        response: { 200: SenderAnswer, 201: SenderAnswer },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const kept = await senders.register(whose(key), request.body, actorOf(key));
      if (!kept.ok) return sendRefusal(reply, kept.error);
      return reply.code(kept.value.isNew ? 201 : 200).send(view(kept.value.sender));
    },
  );
}

const whose = (key: KeyRecord) => ({ accountId: key.accountId as Uuid, mode: key.mode });

const view = (sender: Sender) => ({
  object: "sms_sender" as const,
  sender: senderView(sender.name),
  class: sender.class,
  networks: { ...sender.networks },
  ...(Object.keys(sender.reasons).length > 0 && { reasons: { ...sender.reasons } }),
  ...(sender.evidence !== null && { evidence: sender.evidence }),
  created_at: sender.createdAt.toISOString(),
  updated_at: sender.updatedAt.toISOString(),
});
