import Type from "typebox";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import { closed, paging } from "../http/schemas.ts";
import { decodeId, encodeId } from "../kernel/ids.ts";
import { OVERLAP_HOURS, type ShownEndpoint } from "./endpoint.ts";
import type { Endpoints, WithSecret } from "./endpoints.service.ts";
import { MANAGE, readerOf, WebhookParams, writerOf } from "./webhook-caller.replies.ts";
import * as descriptions from "./webhooks.descriptions.ts";
import * as examples from "./webhooks.examples.ts";
import {
  NewWebhook,
  Ping,
  RotateBody,
  Webhook,
  WebhookChanges,
  WebhookList,
  WebhookWithSecret,
} from "./webhooks.schemas.ts";

/** `/webhooks`: where an account's events are posted. */
export function webhookRoutes(app: Http, { endpoints }: { readonly endpoints: Endpoints }): void {
  app.post(
    "/webhooks",
    {
      config: {
        auth: MANAGE,
        confirmed: true,
        errors: ["invalid_state"],
        requestExamples: examples.NEW,
        answerExamples: examples.CREATED,
      },
      schema: {
        operationId: "createWebhook",
        summary: "Make an endpoint",
        description: descriptions.CREATE,
        tags: ["Webhooks"],
        body: NewWebhook,
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const made = await endpoints.create(writerOf(callerOf(request)), request.body);
      return made.ok ? reply.code(201).send(withSecret(made.value)) : sendRefusal(reply, made.error);
    },
  );

  app.get(
    "/webhooks",
    {
      config: { auth: { ...MANAGE, policy: "read" }, errors: ["invalid_cursor"], answerExamples: examples.LISTED },
      schema: {
        operationId: "listWebhooks",
        summary: "The account's endpoints",
        description: descriptions.LIST,
        tags: ["Webhooks"],
        querystring: closed(paging),
        response: { 200: WebhookList },
      },
    },
    async (request, reply) => {
      const page = readPage(request, request.query);
      if (!page.ok) return sendRefusal(reply, page.error);
      const { beforeId, rowLimit, answer } = page.value;
      return answer(await endpoints.list(readerOf(callerOf(request)), beforeId, rowLimit), view);
    },
  );

  app.get(
    "/webhooks/:webhook_id",
    {
      config: { auth: { ...MANAGE, policy: "read" }, errors: ["not_found"], answerExamples: examples.SHOWN },
      schema: {
        operationId: "getWebhook",
        summary: "An endpoint",
        description: descriptions.GET,
        tags: ["Webhooks"],
        params: WebhookParams,
        response: { 200: Webhook },
      },
    },
    async (request, reply) => {
      const found = await endpoints.find(readerOf(callerOf(request)), decodeId("whe", request.params.webhook_id));
      return found.ok ? view(found.value) : sendRefusal(reply, found.error);
    },
  );

  app.patch(
    "/webhooks/:webhook_id",
    {
      config: {
        auth: MANAGE,
        confirmed: true,
        errors: ["not_found"],
        requestExamples: examples.CHANGES,
        answerExamples: examples.CHANGED,
      },
      schema: {
        operationId: "changeWebhook",
        summary: "Change, pause or activate an endpoint",
        description: descriptions.CHANGE,
        tags: ["Webhooks"],
        params: WebhookParams,
        body: WebhookChanges,
        response: { 200: Webhook },
      },
    },
    async (request, reply) => {
      const id = decodeId("whe", request.params.webhook_id);
      const changed = await endpoints.change(writerOf(callerOf(request)), id, request.body);
      return changed.ok ? view(changed.value) : sendRefusal(reply, changed.error);
    },
  );

  app.delete(
    "/webhooks/:webhook_id",
    {
      config: { auth: MANAGE, errors: ["not_found"] },
      schema: {
        operationId: "deleteWebhook",
        summary: "Delete an endpoint",
        description: descriptions.DELETE,
        tags: ["Webhooks"],
        params: WebhookParams,
        response: { 204: Type.Null({ description: "Deleted." }) },
      },
    },
    async (request, reply) => {
      const deleted = await endpoints.delete(writerOf(callerOf(request)), decodeId("whe", request.params.webhook_id));
      return deleted.ok ? reply.code(204).send(null) : sendRefusal(reply, deleted.error);
    },
  );

  app.post(
    "/webhooks/:webhook_id/rotate",
    {
      config: {
        auth: MANAGE,
        confirmed: true,
        errors: ["not_found", "invalid_state"],
        requestExamples: examples.ROTATION,
        answerExamples: examples.ROTATED,
      },
      schema: {
        operationId: "rotateWebhook",
        summary: "Replace the secret and the key pair",
        description: descriptions.ROTATE,
        tags: ["Webhooks"],
        params: WebhookParams,
        body: RotateBody,
        response: { 200: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const { overlap_hours: overlapHours = OVERLAP_HOURS.default } = request.body;
      const id = decodeId("whe", request.params.webhook_id);
      const rotated = await endpoints.rotate(writerOf(callerOf(request)), id, overlapHours);
      return rotated.ok ? withSecret(rotated.value) : sendRefusal(reply, rotated.error);
    },
  );

  app.post(
    "/webhooks/:webhook_id/test",
    {
      config: { auth: MANAGE, errors: ["not_found"], answerExamples: examples.PINGED },
      schema: {
        operationId: "testWebhook",
        summary: "Send a ping",
        description: descriptions.TEST,
        tags: ["Webhooks"],
        params: WebhookParams,
        response: { 202: Ping },
      },
    },
    async (request, reply) => {
      const pinged = await endpoints.ping(writerOf(callerOf(request)), decodeId("whe", request.params.webhook_id));
      if (!pinged.ok) return sendRefusal(reply, pinged.error);
      return reply.code(202).send({ object: "webhook_ping", event_id: encodeId("evt", pinged.value) });
    },
  );
}

const view = (endpoint: ShownEndpoint) => ({
  id: encodeId("whe", endpoint.id),
  object: "webhook" as const,
  mode: endpoint.mode,
  url: endpoint.url,
  types: [...endpoint.types],
  ...(endpoint.description !== null && { description: endpoint.description }),
  status: endpoint.status,
  ...(endpoint.disabledReason && { disabled_reason: endpoint.disabledReason }),
  public_key: endpoint.publicKey,
  waiting: endpoint.waiting,
  ...(endpoint.failingSince && { failing_since: endpoint.failingSince.toISOString() }),
  ...(endpoint.restUntil && endpoint.failingSince && { rests_until: endpoint.restUntil.toISOString() }),
  ...(endpoint.missedBefore && { missed_before: endpoint.missedBefore.toISOString() }),
  created_at: endpoint.createdAt.toISOString(),
  updated_at: endpoint.updatedAt.toISOString(),
});

const withSecret = (endpoint: WithSecret) => ({ ...view(endpoint), secret: endpoint.secret });
