import { setTimeout as wait } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";
import type { GatewayAccess } from "./gateway-access.ts";
import { CannotRun, timeText } from "./report.ts";

export interface HeardEvent {
  /** JSON, as it came. */
  readonly text: string;
  /** The feed's cursor right before it. */
  readonly before: string;
  /** Right behind it. */
  readonly cursor: string;
}

/** What is read of an event. */
export interface EventFacts {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly sequence: number;
  readonly data: { readonly object: { readonly id?: string } | null };
}

export interface StreamOptions {
  readonly types: readonly string[];
  /** A cursor; without one, from now on. */
  readonly after?: string | undefined;
  readonly ended: AbortSignal;
  /** Called when the stream is open: what happens from now on is heard. */
  readonly opened?: () => void;
  /** Told about breaks. */
  readonly tell: (text: string) => void;
}

/** A gateway gives a sign of life every 15 seconds. */
const SILENCE_MS = 45_000;
/** Far longer than any event: whatever answers there is no gateway. */
const EVENT_LENGTH_MAX = 4 * 1024 * 1024;
const WAIT_MS = { first: 1_000, most: 15_000 };

/**
 * The events of `GET /events/stream` until `ended`. It reconnects by itself behind the last event that the caller has dealt
 * with, so none is lost or skipped; what it was reading ahead is read again. Throws `CannotRun` with the gateway's reason.
 */
export async function* hearEvents(access: GatewayAccess, options: StreamOptions): AsyncGenerator<HeardEvent> {
  const { ended, tell, opened: onOpen } = options;
  const place: Place = { cursor: options.after, wasOpen: false };
  for (let waitMs = WAIT_MS.first; !ended.aborted; waitMs = Math.min(waitMs * 2, WAIT_MS.most)) {
    const opened = await open(access, options, place);
    if ("body" in opened) {
      if (place.wasOpen) tell("Connected again.");
      else onOpen?.();
      place.wasOpen = true;
      const before = place.cursor;
      yield* eventsOf(opened, place);
      if (place.cursor !== before) waitMs = WAIT_MS.first;
    }
    if (ended.aborted) return;
    const { reason, pauseMs = waitMs } = "body" in opened ? { reason: "The connection ended." } : opened;
    tell(`${reason} Trying again in ${Math.ceil(pauseMs / 1_000)} s …`);
    await wait(pauseMs, undefined, { signal: ended }).catch(() => undefined);
  }
}

interface Place {
  /** Behind the last event that was dealt with; before the first, where the stream began. */
  cursor: string | undefined;
  wasOpen: boolean;
}

interface OpenStream {
  readonly body: NonNullable<Response["body"]>;
  readonly abort: AbortController;
}

/** Not now, but perhaps later. */
interface Away {
  readonly reason: string;
  /** What the gateway asked for. */
  readonly pauseMs?: number;
}

async function open(
  { base, key }: GatewayAccess,
  { types, ended }: StreamOptions,
  place: Place,
): Promise<OpenStream | Away> {
  const query = new URLSearchParams({
    ...(types.length > 0 && { type: types.join(",") }),
    ...(place.cursor !== undefined && { after: place.cursor }),
  });
  const abort = new AbortController();
  const silence = setTimeout(() => abort.abort(), SILENCE_MS);
  try {
    const answer = await fetch(`${base}/events/stream?${query}`, {
      headers: { "x-api-key": key, accept: "text/event-stream" },
      redirect: "manual",
      signal: AbortSignal.any([abort.signal, ended]),
    });
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream");
    if (answer.status === 200 && isStream && answer.body !== null) return { body: answer.body, abort };
    const reason = await reasonOf(answer, base);
    // After a break the gateway may still count our own connection, or be starting.
    const isPassing = answer.status === 429 || answer.status >= 500;
    if (!place.wasOpen || !isPassing) throw new CannotRun(reason);
    const asked = Number(answer.headers.get("retry-after"));
    return { reason, ...(asked > 0 && { pauseMs: Math.min(asked * 1_000, WAIT_MS.most) }) };
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    if (!place.wasOpen && !ended.aborted)
      throw new CannotRun(
        `No gateway answers at ${base}. Start it with npm start; if it listens elsewhere, give --url <address>, or AFARA_PORT as it has it.`,
      );
    return { reason: "The gateway does not answer." };
  } finally {
    clearTimeout(silence);
  }
}

/** A problem's own words, if it is one. */
async function reasonOf(answer: Response, base: string): Promise<string> {
  const text = await answer.text().catch(() => "");
  try {
    const { code, detail } = JSON.parse(text) as { code?: unknown; detail?: unknown };
    if (typeof code === "string" && typeof detail === "string") return `${code}: ${detail}`;
  } catch {
    // not JSON, so not a gateway's problem
  }
  return `${base} is no Afara gateway: it answered ${answer.status} without a stream of events.`;
}

async function* eventsOf({ body, abort }: OpenStream, place: Place): AsyncGenerator<HeardEvent> {
  let silence: NodeJS.Timeout | undefined;
  const parser = new EventSourceParserStream({
    // The first one is where the stream begins: what comes after it is not lost if the stream ends before the first event.
    onId: (id) => {
      place.cursor ??= id;
    },
    onComment: () => void silence?.refresh(),
    maxBufferSize: EVENT_LENGTH_MAX,
  });
  const reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(parser).getReader();
  try {
    for (;;) {
      silence = setTimeout(() => abort.abort(), SILENCE_MS);
      const { value, done } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      const before = place.cursor ?? "";
      const cursor = value.id ?? before;
      yield { text: value.data, before, cursor };
      place.cursor = cursor;
    }
  } catch {
    // A broken connection: it is opened again.
  } finally {
    abort.abort();
  }
}

/** The longest types, such as `electricity.token_pending`. */
const TYPE_WIDTH = 26;

/** An event in a line for people. */
export const lineOf = ({ type, timestamp, sequence, data }: EventFacts): string =>
  [timeText(new Date(timestamp)), type.padEnd(TYPE_WIDTH), `${data.object?.id ?? "-"} #${sequence}`].join("  ");
