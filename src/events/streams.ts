import { Readable } from "node:stream";
import type { Db } from "../db/database.ts";
import type { Log } from "../kernel/log.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { EventBodies, EventBody } from "./event-bodies.ts";
import { type FeedOwner, readAfter } from "./feed.repo.ts";
import type { Feed } from "./feed.ts";
import { makeNews } from "./news.ts";
import type { Position } from "./position.ts";

/** Who opens a stream, and what it is to bring. */
export interface StreamRequest {
  readonly owner: FeedOwner;
  readonly keyId: string;
  /** Asked anew for each page: a person's role changes while they read. */
  readonly mayVend: () => boolean;
  readonly types?: readonly string[] | undefined;
  readonly after: Position;
  readonly cursorOf: (position: Position) => string;
  /** Whether the key would still be let in. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Aborted when the connection ends. */
  readonly gone: AbortSignal;
}

/** Server-sent events: the feed as it grows (the HTML standard, section 9.2). */
export interface Streams {
  /** The text of a stream. Errors: `too_many_streams` for one key, `overloaded` for the whole process. */
  open(request: StreamRequest): Result<Readable, Refusal>;
  /** Ends all streams: the node is stopping. Later ones end at once, and tell their readers to come back. */
  end(): void;
}

export interface StreamsOptions {
  readonly db: Db;
  readonly feed: Feed;
  readonly bodies: EventBodies;
  readonly log: Log;
  readonly limits?: Partial<StreamLimits>;
}

export interface StreamLimits {
  readonly eachKey: number;
  readonly all: number;
  /** A quiet stream says something this often: proxies end connections that are idle for a minute. */
  readonly heartbeatMs: number;
}

export const STREAM_LIMITS: StreamLimits = { eachKey: 10, all: 1_000, heartbeatMs: 15_000 };

/** Events of one page. The next is read when the reader has taken it. */
const PAGE = 100;
/** How long a reader whose connection ended waits before it comes back. */
const RETRY_MS = 2_000;

export function makeStreams({ db, feed, bodies, log, limits: given }: StreamsOptions): Streams {
  const limits = { ...STREAM_LIMITS, ...given };
  const news = makeNews(db);
  const byKey = new Map<string, number>();
  const stopping = new AbortController();
  let count = 0;
  let stopListening: (() => void) | undefined;

  const enter = (keyId: string): void => {
    byKey.set(keyId, (byKey.get(keyId) ?? 0) + 1);
    count += 1;
    stopListening ??= feed.onFeed(news.heard);
  };
  const leave = (keyId: string): void => {
    const left = byKey.get(keyId)! - 1;
    if (left > 0) byKey.set(keyId, left);
    else byKey.delete(keyId);
    count -= 1;
    if (count > 0) return;
    stopListening?.();
    stopListening = undefined;
  };

  return {
    open(request) {
      if ((byKey.get(request.keyId) ?? 0) >= limits.eachKey) return refuse(tooMany(limits.eachKey));
      if (count >= limits.all) return refuse(FULL);
      enter(request.keyId);
      const gone = AbortSignal.any([request.gone, stopping.signal]);
      const text = Readable.from(linesOf({ ...request, gone }), { objectMode: true, highWaterMark: 1 });
      text.once("close", () => leave(request.keyId));
      return ok(text);
    },
    end: () => stopping.abort(),
  };

  async function* linesOf(request: StreamRequest): AsyncGenerator<string> {
    const { owner, types, mayVend, cursorOf, isStillAllowed, gone } = request;
    let position = request.after;
    // With the place at which it begins: a reader who comes back before the first event goes on from here.
    yield `retry: ${RETRY_MS}\nid: ${cursorOf(position)}\n\n`;
    try {
      for (let isQuiet = false; !gone.aborted && (await isStillAllowed()); ) {
        const { events, reached, hasMore } = await readAfter(db, { ...owner, after: position, types, limit: PAGE });
        position = reached;
        if (events.length > 0) {
          const shown = await bodies(events, { mayVend: mayVend() });
          yield shown.map((body, index) => frameOf(body, cursorOf(events[index]!.position))).join("");
        } else if (isQuiet) yield heartbeat(cursorOf(position));
        if (!hasMore) isQuiet = (await news.wait(owner, position, limits.heartbeatMs, gone)) === "quiet";
      }
    } catch (error) {
      // The answer has begun, so all that can be done is to end it; the reader comes back with its last id.
      log.warn({ error: (error as Error).message }, "an event stream ended early");
    }
  }
}

/** JSON has no line breaks, so it is one line of data. There is no `event` field, or `onmessage` would not be called. */
const frameOf = (body: EventBody, cursor: string): string => `id: ${cursor}\ndata: ${JSON.stringify(body)}\n\n`;

/** A comment keeps the connection open; the id moves the reader's place past events of other types. */
const heartbeat = (cursor: string): string => `:\nid: ${cursor}\n\n`;

const tooMany = (max: number): Refusal =>
  refusal(
    "too_many_streams",
    `This key has ${max} event streams open. Close one, or read several types in one stream and tell them apart by \`type\`.`,
    { members: { limit: max }, retryAfterSeconds: 30 },
  );
const FULL = refusal("overloaded", "This node has no room for another event stream. Try again, or read GET /events.", {
  retryAfterSeconds: 5,
});
