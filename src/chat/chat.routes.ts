import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import type { KeyRecord } from "../accounts/key-record.ts";
import { orderCallerOf } from "../accounts/order-caller.ts";
import type { Database } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { fingerprintOf, idempotencyKeyOf, requestUuid } from "../http/idempotency.ts";
import { sendRefusal } from "../http/refuse.ts";
import { IdParameter } from "../http/schemas.ts";
import type { Clock } from "../kernel/clock.ts";
import { decodeId, type Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { findOrder } from "../orders/orders.repo.ts";
import type { ChatCaller } from "./caller.ts";
import * as descriptions from "./chat.descriptions.ts";
import * as examples from "./chat.examples.ts";
import {
  ACCEPT_ERRORS,
  ChatMessage,
  ChatMessageInFull,
  chatAuth,
  InteractiveBody,
  MediaBody,
  TemplateBody,
  TextBody,
} from "./chat.schemas.ts";
import type { Chat, ChatOptions } from "./chat.service.ts";
import { acceptedView } from "./chat.view.ts";
import type { ChatViews } from "./chat.views.ts";
import type { ChatRequest } from "./content.ts";
import { conversationRoutes } from "./conversation.routes.ts";
import { mediaRoutes } from "./media.routes.ts";
import type { Media } from "./media.service.ts";
import type { ChatNumbers } from "./numbers.service.ts";
import type { Templates } from "./templates.service.ts";

export interface ChatRoutesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly chat: Chat;
  readonly numbers: ChatNumbers;
  readonly templates: Templates;
  readonly media: Media;
  readonly views: ChatViews;
  readonly planOf: (service: "chat", planId: string) => ChatCaller["plan"];
}

/** What a body has besides its content. */
interface SendBody extends ChatOptions {
  readonly to: string;
}

/** `POST /chat/send/…` and what became of it; the rest of the service is in the files that it registers. */
export function chatRoutes(app: Http, options: ChatRoutesOptions): void {
  const { db, chat, views, planOf } = options;

  const callerWith = (key: KeyRecord): ChatCaller => ({
    ...orderCallerOf(key, planOf("chat", key.subscriptions.chat!.plan)),
    ...(key.subscriptions.sms && mayUseSms(key) && { smsPlan: key.subscriptions.sms.plan }),
    ...(key.defaultSender !== null && { defaultSender: key.defaultSender }),
  });

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    path: string,
    body: SendBody,
    content: ChatRequest,
  ) {
    const key = idempotencyKeyOf(request);
    if (!key.ok) return sendRefusal(reply, key.error);
    const { to, from, reply_to, on_ambiguous, fallback, reference, metadata } = body;
    const options: ChatOptions = {
      ...(from !== undefined && { from }),
      ...(reply_to !== undefined && { reply_to }),
      ...(on_ambiguous !== undefined && { on_ambiguous }),
      ...(fallback !== undefined && { fallback }),
      ...(reference !== undefined && { reference }),
      ...(metadata !== undefined && { metadata }),
    };
    const sent = await chat.send(callerWith(callerOf(request)), to, content, options, {
      idempotencyKey: key.value,
      fingerprint: fingerprintOf("POST", path, body),
      requestId: requestUuid(request),
    });
    if (!sent.ok) return sendRefusal(reply, sent.error);
    if (sent.value.replayed) reply.header("idempotent-replayed", "true");
    const view = acceptedView(sent.value.order);
    request.orderId = view.id;
    return reply.code(202).send(view);
  }

  const sendConfig = (errors: readonly "chat_window_closed"[]) => ({
    auth: chatAuth("send", "chat-send"),
    errors: [...ACCEPT_ERRORS, ...errors],
    idempotency: "optional" as const,
  });
  const response = { 202: ChatMessage };
  const tags = ["Chat"];

  for (const [path, operationId, description] of [
    ["/chat/send/text", "sendChatText", descriptions.TEXT],
    ["/chat/send", "sendChat", descriptions.SEND],
  ] as const)
    app.post(
      path,
      {
        config: {
          ...sendConfig(["chat_window_closed"]),
          requestExamples: examples.TEXT,
          answerExamples: examples.TEXT_SENT,
        },
        schema: {
          operationId,
          summary: "Send a text in the 24-hour window",
          description,
          tags,
          body: TextBody,
          response,
        },
      },
      (request, reply) => {
        const { message, preview_url } = request.body;
        const content: ChatRequest = { kind: "text", message, ...(preview_url !== undefined && { preview_url }) };
        return send(request, reply, "/chat/send/text", request.body, content);
      },
    );

  app.post(
    "/chat/send/template",
    {
      config: {
        ...sendConfig([]),
        requestExamples: examples.TEMPLATE,
        answerExamples: examples.TEMPLATE_SENT,
      },
      schema: {
        operationId: "sendChatTemplate",
        summary: "Send an approved template at any time",
        description: descriptions.TEMPLATE,
        tags,
        body: TemplateBody,
        response,
      },
    },
    (request, reply) => {
      const { template, language, variables } = request.body;
      const content: ChatRequest = { kind: "template", template, language, ...(variables && { variables }) };
      return send(request, reply, "/chat/send/template", request.body, content);
    },
  );

  app.post(
    "/chat/send/media",
    {
      config: {
        ...sendConfig(["chat_window_closed"]),
        requestExamples: examples.MEDIA,
        answerExamples: examples.MEDIA_SENT,
      },
      schema: {
        operationId: "sendChatMedia",
        summary: "Send an image, video or document in the 24-hour window",
        description: descriptions.MEDIA,
        tags,
        body: MediaBody,
        response,
      },
    },
    (request, reply) => {
      const { to: _to, ...file } = request.body;
      return send(request, reply, "/chat/send/media", request.body, { kind: "media", ...file });
    },
  );

  app.post(
    "/chat/send/interactive",
    {
      config: {
        ...sendConfig(["chat_window_closed"]),
        requestExamples: examples.INTERACTIVE,
        answerExamples: examples.INTERACTIVE_SENT,
      },
      schema: {
        operationId: "sendChatInteractive",
        summary: "Send buttons, a list or a link in the 24-hour window",
        description: descriptions.INTERACTIVE,
        tags,
        body: InteractiveBody,
        response,
      },
    },
    (request, reply) => {
      const { to: _to, ...content } = request.body;
      return send(request, reply, "/chat/send/interactive", request.body, { kind: "interactive", ...content });
    },
  );

  app.get(
    "/chat/status/:message_id",
    {
      config: { auth: chatAuth("read", "read"), errors: ["not_found"], answerExamples: examples.STATUS },
      schema: {
        operationId: "getChatMessage",
        summary: "A message with its timeline",
        description: descriptions.STATUS,
        tags,
        params: Type.Object({ message_id: IdParameter("msg", "`id` of a message that was sent.") }),
        response: { 200: ChatMessageInFull },
      },
    },
    async (request, reply) => {
      const key = callerOf(request);
      const id = decodeId("msg", request.params.message_id);
      const order = id && (await findOrder(db, key.accountId as Uuid, id));
      if (!order || order.mode !== key.mode || order.service !== "chat") return sendRefusal(reply, NO_MESSAGE);
      return views.inFull(order);
    },
  );

  conversationRoutes(app, options);
  mediaRoutes(app, options);
}

const mayUseSms = ({ services }: KeyRecord): boolean => services === null || services.includes("sms");

const NO_MESSAGE = refusal("not_found", "There is no such message in this account and mode.");
