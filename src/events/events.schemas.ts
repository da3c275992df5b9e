import type { Readable } from "node:stream";
import Type from "typebox";
import { closed, Id, IdFilter, ListOf, paging, Timestamp } from "../http/schemas.ts";
import { TYPE_FORM, TYPES_PATTERN } from "./event-types.ts";
import { KEPT_DAYS } from "./position.ts";

const Types = Type.Optional(
  Type.String({
    pattern: TYPES_PATTERN,
    description: `Only these types: ${TYPE_FORM}; several are separated by commas.`,
    examples: ["sms.delivered,sms.undelivered", "electricity.*"],
  }),
);

const cursor = (description: string) => Type.String({ maxLength: 200, description });

export const EventsQuery = closed({
  after: Type.Optional(cursor("`next_cursor` of the page before, or the `id` of a stream.")),
  type: Types,
  order: IdFilter(
    ["msg", "pur", "blk", "trf"],
    "Only events of this message, purchase, bulk or top-up: `msg_…`, `pur_…`, `blk_…` or `trf_…`.",
  ),
  limit: paging.limit,
});

export const StreamQuery = closed({
  after: Type.Optional(cursor("Where to begin. `Last-Event-ID` takes precedence. Default: now.")),
  type: Types,
});

export const StreamHeaders = Type.Object({
  "last-event-id": Type.Optional(
    cursor("The last `id` received: the stream goes on behind it. EventSource sends it by itself."),
  ),
});

export const Event = Type.Object(
  {
    id: Id("evt"),
    object: Type.Literal("event"),
    type: Type.String({ description: "For example `sms.delivered`.", examples: ["sms.delivered"] }),
    timestamp: { ...Timestamp, description: "When it happened." },
    api_version: Type.String({ description: "The version whose form `data` has.", examples: ["2026-11-27"] }),
    sequence: Type.Integer({
      minimum: 1,
      description: "Counts the events of one order, wallet or inbound message from 1, without gaps.",
    }),
    data: Type.Object({
      object: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
        description:
          "What it is about, in the form of its own endpoint and as it was then, without `timeline`. Null when it is no longer kept.",
      }),
      previous_status: Type.Union([Type.String(), Type.Null()], {
        description: "The status before; null when there was none.",
      }),
    }),
  },
  { title: "Event" },
);

export const EventList = ListOf(Event, {
  next_cursor: Type.String({
    description: `Where to go on, now or later: always present, valid for ${KEPT_DAYS} days.`,
  }),
});

export const EventStream = Type.Unsafe<Readable>({
  type: "string",
  description: "Server-sent events: `id` is a cursor, `data` an event as in `GET /events`.",
});
