import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { KeyRecord } from "../accounts/key-record.ts";
import type { Db } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { LIST_LIMIT_DEFAULT } from "../http/schemas.ts";
import type { Clock } from "../kernel/clock.ts";
import { decodeId, type IdPrefix, type Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { cursorOf, positionOf } from "./cursor.replies.ts";
import type { EventBodies } from "./event-bodies.ts";
import { makeFaultsOfTypes } from "./event-types.ts";
import * as descriptions from "./events.descriptions.ts";
import * as examples from "./events.examples.ts";
import { EventList, EventStream, EventsQuery, StreamHeaders, StreamQuery } from "./events.schemas.ts";
import { type FeedOwner, readAfter, readHead } from "./feed.repo.ts";
import { oldestKept, type Position } from "./position.ts";
import type { Streams } from "./streams.ts";

export interface EventRoutesOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly bodies: EventBodies;
  readonly streams: Streams;
  /** Every type of event there is. */
  readonly types: readonly string[];
  /** Whether the key of this request would be let in again now. */
  readonly isStillAllowed: (request: FastifyRequest) => Promise<boolean>;
}

export const EVENT_STREAM = "text/event-stream";

/** `GET /events` and `GET /events/stream`. */
export function eventRoutes(
  app: Http,
  { db, clock, bodies, streams, types, isStillAllowed }: EventRoutesOptions,
): void {
  const faultsOf = makeFaultsOfTypes(types);
  app.get(
    "/events",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        errors: ["invalid_cursor", "cursor_expired"],
        answerExamples: examples.PAGE,
      },
      schema: {
        operationId: "listEvents",
        summary: "Events, the oldest first",
        description: descriptions.LIST,
        tags: ["Events"],
        querystring: EventsQuery,
        response: { 200: EventList },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { after, type, order, limit = LIST_LIMIT_DEFAULT } = request.query;
      const now = clock.now();
      const start = after === undefined ? ok(oldestKept(now)) : positionOf(request, after, now);
      if (!start.ok) return sendRefusal(reply, start.error);
      const wanted = typesOf(type);
      if (!wanted.ok) return sendRefusal(reply, wanted.error);
      const slice = await readAfter(db, {
        ...ownerOf(caller),
        after: start.value,
        types: wanted.value,
        limit,
        ...(order !== undefined && { subjectId: subjectOf(order) }),
      });
      const data = await bodies(slice.events, { mayVend: mayVend(caller) });
      return {
        object: "list" as const,
        data: [...data],
        has_more: slice.hasMore,
        next_cursor: cursorOf(request, slice.reached),
      };
    },
  );

  app.get(
    "/events/stream",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        errors: ["invalid_cursor", "cursor_expired", "too_many_streams"],
        answerExamples: examples.STREAM,
      },
      schema: {
        operationId: "streamEvents",
        summary: "Events as they happen",
        description: descriptions.STREAM,
        tags: ["Events"],
        querystring: StreamQuery,
        headers: StreamHeaders,
        response: { 200: { description: "Done", content: { [EVENT_STREAM]: { schema: EventStream } } } },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const start = await startOf(request, request.headers["last-event-id"] || request.query.after);
      if (!start.ok) return sendRefusal(reply, start.error);
      const wanted = typesOf(request.query.type);
      if (!wanted.ok) return sendRefusal(reply, wanted.error);
      reply.type(EVENT_STREAM).headers(UNBUFFERED);
      if (request.method === "HEAD") return reply.send(Readable.from([]));
      const opened = streams.open({
        owner: ownerOf(caller),
        keyId: caller.keyId,
        mayVend: () => mayVend(callerOf(request)),
        types: wanted.value,
        after: start.value,
        cursorOf: (position) => cursorOf(request, position),
        isStillAllowed: () => isStillAllowed(request),
        gone: goneOf(reply),
      });
      return opened.ok ? reply.send(opened.value) : sendRefusal(reply, opened.error);
    },
  );

  function typesOf(type: string | undefined): Result<readonly string[] | undefined, Refusal> {
    const types = type?.split(",");
    const errors = faultsOf(types ?? [], () => ({ parameter: "type" }));
    return errors[0] ? refuse(refusal("validation_failed", errors[0].detail, { errors })) : ok(types);
  }

  async function startOf(request: FastifyRequest, cursor: string | undefined): Promise<Result<Position, Refusal>> {
    return cursor === undefined ? ok(await readHead(db)) : positionOf(request, cursor, clock.now());
  }
}

/** nginx passes it on as it comes, and nothing on the way compresses it, which would hold it back as well. */
const UNBUFFERED = { "x-accel-buffering": "no", "cache-control": "no-store, no-transform" };

const ownerOf = ({ accountId, mode }: KeyRecord): FeedOwner => ({ accountId: accountId as Uuid, mode });

const mayVend = ({ scopes }: KeyRecord): boolean => scopes.includes("vend");

/** The schema takes nothing that is no id. */
const subjectOf = (order: string): Uuid => decodeId(order.slice(0, order.indexOf("_")) as IdPrefix, order)!;

function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.destroyed) gone.abort();
  else reply.raw.once("close", () => gone.abort());
  return gone.signal;
}
