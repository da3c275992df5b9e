import type { Database } from "../db/database.ts";
import { cursorOf, positionOf } from "../events/cursor.replies.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { readPage } from "../http/paging.ts";
import { sendRefusal } from "../http/refuse.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { decodeId, encodeId, type Uuid } from "../kernel/ids.ts";
import { type FaultCode, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { timeOf } from "../kernel/rfc3339.ts";
import { type Attempt, listAttempts } from "./attempts.repo.ts";
import { KEPT_DAYS } from "./endpoint.ts";
import type { Endpoints } from "./endpoints.service.ts";
import type { ReplayEvents, ReplayRequest } from "./replay.service.ts";
import type { WebhookSeal } from "./sealed.ts";
import { MANAGE, readerOf, WebhookParams, writerOf } from "./webhook-caller.replies.ts";
import * as descriptions from "./webhooks.descriptions.ts";
import * as examples from "./webhooks.examples.ts";
import { DeliveriesQuery, DeliveryList, Replay, ReplayBody } from "./webhooks.schemas.ts";

export interface DeliveryRoutesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly seal: WebhookSeal;
  readonly endpoints: Endpoints;
  readonly replay: ReplayEvents;
}

/** What was delivered to an endpoint, and delivering it again. */
export function deliveryRoutes(app: Http, { db, clock, seal, endpoints, replay }: DeliveryRoutesOptions): void {
  app.get(
    "/webhooks/:webhook_id/deliveries",
    {
      config: {
        auth: { ...MANAGE, policy: "read" },
        errors: ["not_found", "invalid_cursor"],
        answerExamples: examples.DELIVERIES,
      },
      schema: {
        operationId: "listWebhookDeliveries",
        summary: "Attempts to deliver",
        description: descriptions.DELIVERIES,
        tags: ["Webhooks"],
        params: WebhookParams,
        querystring: DeliveriesQuery,
        response: { 200: DeliveryList },
      },
    },
    async (request, reply) => {
      const found = await endpoints.find(readerOf(callerOf(request)), decodeId("whe", request.params.webhook_id));
      if (!found.ok) return sendRefusal(reply, found.error);
      // The endpoint is a filter as well: a cursor is of one list.
      const page = readPage(request, { ...request.query, endpoint: found.value.id });
      if (!page.ok) return sendRefusal(reply, page.error);
      const { beforeId, rowLimit, answer, filters } = page.value;
      const attempts = await listAttempts(db, seal, {
        endpointId: found.value.id,
        succeeded: filters.status === undefined ? undefined : filters.status === "succeeded",
        since: new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS),
        beforeId,
        limit: rowLimit,
      });
      return answer(attempts, deliveryView);
    },
  );

  app.post(
    "/webhooks/:webhook_id/replay",
    {
      config: {
        auth: MANAGE,
        errors: ["not_found", "invalid_state", "invalid_cursor", "cursor_expired"],
        requestExamples: examples.REPLAYS,
        answerExamples: examples.REPLAYED,
      },
      schema: {
        operationId: "replayWebhook",
        summary: "Deliver events again",
        description: descriptions.REPLAY,
        tags: ["Webhooks"],
        params: WebhookParams,
        body: ReplayBody,
        response: { 202: Replay },
      },
    },
    async (request, reply) => {
      const { after } = request.body;
      const start = after === undefined ? ok(undefined) : positionOf(request, after, clock.now());
      if (!start.ok) return sendRefusal(reply, start.error);
      const wanted = requestOf(request.body, start.value);
      if (!wanted.ok) return sendRefusal(reply, wanted.error);
      const id = decodeId("whe", request.params.webhook_id);
      const replayed = await replay(writerOf(callerOf(request)), id, wanted.value);
      if (!replayed.ok) return sendRefusal(reply, replayed.error);
      const { count, nextAfter } = replayed.value;
      const more = nextAfter === undefined ? {} : { next_cursor: cursorOf(request, nextAfter) };
      return reply.code(202).send({ object: "webhook_replay", count, ...more });
    },
  );
}

interface Body {
  readonly event_id?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly failed_since?: string | undefined;
}

function requestOf(
  { event_id: eventId, since, until, failed_since: failedSince }: Body,
  after: bigint | undefined,
): Result<ReplayRequest> {
  const given = Object.entries({ event_id: eventId, since, failed_since: failedSince }).filter(
    ([, value]) => value !== undefined,
  );
  const [first, second] = given;
  if (!first) return refuse(oneOfThree("required", "/event_id"));
  if (second) return refuse(oneOfThree("not_together", `/${second[0]}`));
  if (until !== undefined && since === undefined) return refuse(oneOfThree("not_together", "/until"));
  if (after !== undefined && eventId !== undefined) return refuse(oneOfThree("not_together", "/after"));
  if (eventId !== undefined) return ok({ eventId: decodeId("evt", eventId) as Uuid });
  if (failedSince !== undefined) return ok({ failedSince: timeOf(failedSince), after });
  return ok({ since: timeOf(since!), until: until === undefined ? undefined : timeOf(until), after });
}

function oneOfThree(code: FaultCode, pointer: string) {
  const detail = "Give exactly one of `event_id`, `since` (with `until`, if you like) and `failed_since`.";
  return refusal("validation_failed", detail, { errors: [{ pointer, code, detail }] });
}

export const deliveryView = (attempt: Attempt) => ({
  id: encodeId("wha", attempt.id),
  object: "webhook_delivery" as const,
  event_id: encodeId("evt", attempt.eventId),
  type: attempt.type,
  attempt: attempt.attempt,
  status: attempt.succeeded ? ("succeeded" as const) : ("failed" as const),
  ...(attempt.responseStatus !== null && { response_status: attempt.responseStatus }),
  ...(attempt.responseStart !== null && { response_start: attempt.responseStart }),
  ...(attempt.error !== null && { error: attempt.error }),
  ...(attempt.address !== null && { address: attempt.address }),
  duration_ms: attempt.durationMs,
  at: attempt.at.toISOString(),
  ...(attempt.nextAt !== null && { next_attempt_at: attempt.nextAt.toISOString() }),
});
