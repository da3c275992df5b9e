import { decodeCursor, encodeCursor, type PageRequest } from "../http/cursor.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { KEPT_DAYS, oldestKept, type Position } from "./position.ts";

/** A place in an account's feed is the same in pages and streams, and with all filters. */
const FEED = { url: "/events" };
const NO_FILTERS = {};

const inFeed = ({ caller, server }: PageRequest): PageRequest => ({ caller, server, routeOptions: FEED });

/** The position as an opaque text without a line break, which neither an `id` of a stream nor a header may have. */
export function cursorOf(request: PageRequest, position: Position): string {
  const hex = position.toString(16).padStart(32, "0");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") as Uuid;
  return encodeCursor(inFeed(request), id, NO_FILTERS);
}

/** The position of a cursor. Errors: `invalid_cursor`; `cursor_expired` when events after it are no longer kept. */
export function positionOf(request: PageRequest, cursor: string, now: Date): Result<Position, Refusal> {
  const id = decodeCursor(inFeed(request), cursor, NO_FILTERS);
  if (!id.ok) return refuse(NOT_OURS);
  const position = BigInt(`0x${id.value.replaceAll("-", "")}`);
  return position < oldestKept(now) ? refuse(EXPIRED) : ok(position);
}

const NOT_OURS = refusal(
  "invalid_cursor",
  "This is not a cursor of this account's events in this mode. Pass on a `next_cursor` or the `id` of a stream exactly as it came, or begin again without.",
);
const EXPIRED = refusal(
  "cursor_expired",
  `Events are kept for ${KEPT_DAYS} days, and this cursor is older: some that came after it are gone. Begin again without a cursor, which reads the oldest that are kept, and look up what you hold as unfinished.`,
);
