import Type from "typebox";
import type { Database } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import { listOf } from "../http/schemas.ts";
import { CHAT_ADDRESS_MAX, parseChatAddress } from "../kernel/chat-address.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { timeOf } from "../kernel/rfc3339.ts";
import * as descriptions from "./chat.descriptions.ts";
import * as examples from "./chat.examples.ts";
import { ChatList, chatAuth, FromQuery, ListQuery } from "./chat.schemas.ts";
import { messageView, receivedView, vendorTemplateView, windowView } from "./chat.view.ts";
import { listConversation } from "./conversation.ts";
import type { ChatNumbers, NumberOwner } from "./numbers.service.ts";
import type { Templates } from "./templates.service.ts";
import { TemplateList, Window } from "./window.schemas.ts";
import { readWindow } from "./windows.repo.ts";

export interface ConversationRoutesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly numbers: ChatNumbers;
  readonly templates: Templates;
}

/** What was written in both directions, the windows that people open, and the templates that need none. */
export function conversationRoutes(app: Http, { db, clock, numbers, templates }: ConversationRoutesOptions): void {
  const tags = ["Chat"];

  app.get(
    "/chat/window/:phone",
    {
      config: {
        auth: chatAuth("read", "read"),
        errors: ["invalid_phone_number", "destination_not_supported", "sender_not_approved"],
        answerExamples: examples.WINDOW,
      },
      schema: {
        operationId: "getChatWindow",
        summary: "Whether a recipient's 24-hour window is open, and until when",
        description: descriptions.WINDOW,
        tags,
        params: Type.Object({
          phone: Type.String({
            maxLength: CHAT_ADDRESS_MAX,
            description: "The recipient's number, or the user id of someone who hides it.",
            examples: ["+2348031234567"],
          }),
        }),
        querystring: FromQuery,
        response: { 200: Window },
      },
    },
    async (request, reply) => {
      const owner = ownerOf(callerOf(request));
      const phone = parseChatAddress(request.params.phone, owner.mode);
      if (!phone.ok) return sendRefusal(reply, phone.error);
      const from = await numbers.choose(owner, request.query.from);
      if (!from.ok) return sendRefusal(reply, refusal("sender_not_approved", from.error.detail));
      const key = { mode: owner.mode, number: from.value.number, recipient: phone.value };
      return windowView(await readWindow(db, key), clock.now());
    },
  );

  app.get(
    "/chat/templates",
    {
      config: { auth: chatAuth("read", "read"), answerExamples: examples.TEMPLATES },
      schema: {
        operationId: "listChatTemplates",
        summary: "Templates and their variables",
        description: descriptions.TEMPLATES,
        tags,
        response: { 200: TemplateList },
      },
    },
    async (request) => {
      const own = await numbers.all(ownerOf(callerOf(request)));
      const { templates: found, asOf } = await templates.list([...new Set(own.map(({ provider }) => provider))]);
      return { ...listOf(found.map(vendorTemplateView)), as_of: asOf?.toISOString() ?? null };
    },
  );

  app.get(
    "/chat/messages",
    {
      config: {
        auth: chatAuth("read", "read"),
        errors: ["invalid_cursor", "invalid_phone_number", "destination_not_supported"],
        answerExamples: examples.LIST,
      },
      schema: {
        operationId: "listChat",
        summary: "Messages in both directions, newest first",
        description: descriptions.LIST,
        tags,
        querystring: ListQuery,
        response: { 200: ChatList },
      },
    },
    async (request, reply) => {
      const owner = ownerOf(callerOf(request));
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { filters: asked, rowLimit, beforeId } = page.value;
      const phone = asked.phone === undefined ? undefined : parseChatAddress(asked.phone, owner.mode);
      if (phone && !phone.ok) {
        const { code, detail } = phone.error;
        return sendRefusal(reply, refusal(code, detail, { errors: [{ parameter: "phone", code, detail }] }));
      }
      const { rows, ids } = await listConversation(db, {
        ...owner,
        limit: rowLimit,
        ...(asked.direction !== undefined && { direction: asked.direction }),
        ...(asked.status !== undefined && { status: asked.status }),
        ...(asked.reference !== undefined && { reference: asked.reference }),
        ...(phone && { address: phone.value }),
        ...(asked.created_after !== undefined && { createdAfter: timeOf(asked.created_after) }),
        ...(asked.created_before !== undefined && { createdBefore: timeOf(asked.created_before) }),
        ...(beforeId && { beforeId }),
      });
      return page.value.answer(rows, (entry) =>
        "sent" in entry ? messageView(entry.sent) : receivedView(entry.received, ids),
      );
    },
  );
}

const ownerOf = (key: { readonly accountId: string; readonly mode: NumberOwner["mode"] }): NumberOwner => ({
  accountId: key.accountId as Uuid,
  mode: key.mode,
});
