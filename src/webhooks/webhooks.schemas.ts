import Type from "typebox";
import { TYPE_FORM, TYPE_PATTERN } from "../events/event-types.ts";
import { closed, extending, Id, idPattern, ListOf, Mode, named, oneOf, paging, Timestamp } from "../http/schemas.ts";
import { DISABLED_REASONS, KEPT_DAYS, OVERLAP_HOURS, STATUSES } from "./endpoint.ts";
import { DELIVERY_ERRORS } from "./outcome.ts";

const URL_LENGTH_MAX = 2_000;
const TYPES_MAX = 20;
const DESCRIPTION_LENGTH_MAX = 200;

const Url = Type.String({
  minLength: 1,
  maxLength: URL_LENGTH_MAX,
  description:
    "`https://` at a public address, without user name. Test keys of a gateway on one's own machine may use `http://` and that machine.",
  examples: ["https://example.ng/hooks/afara"],
});
const Types = Type.Array(Type.String({ pattern: TYPE_PATTERN, description: TYPE_FORM }), {
  minItems: 1,
  maxItems: TYPES_MAX,
  uniqueItems: true,
  description: "Which events: `sms.delivered`, `sms.*`, `*`. Default: all.",
  examples: [["sms.*", "wallet.low"]],
});
const Description = Type.String({ minLength: 1, maxLength: DESCRIPTION_LENGTH_MAX, description: "For yourself." });

export const NewWebhook = closed({ url: Url, types: Type.Optional(Types), description: Type.Optional(Description) });

export const WebhookChanges = closed({
  url: Type.Optional({ ...Url, description: "Another URL must answer a ping first." }),
  types: Type.Optional(Types),
  description: Type.Optional(Type.Union([Description, Type.Null()])),
  status: Type.Optional(oneOf(["active", "paused"])),
});

const PublicKey = Type.String({
  description: "`whpk_` and the base64 of the Ed25519 key that verifies `v1a` signatures.",
  examples: ["whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="],
});

export const Webhook = Type.Object(
  {
    id: Id("whe"),
    object: Type.Literal("webhook"),
    mode: Mode,
    url: Type.String(),
    types: Type.Array(Type.String()),
    description: Type.Optional(Type.String()),
    status: named("WebhookStatus", oneOf(STATUSES)),
    disabled_reason: Type.Optional(
      oneOf(DISABLED_REASONS, "`gone`: it answered 410. `failing`: every attempt of the last five days failed."),
    ),
    public_key: PublicKey,
    waiting: Type.Integer({ description: "Failed events, and those behind them." }),
    failing_since: Type.Optional({ ...Timestamp, description: "Every attempt since then has failed." }),
    rests_until: Type.Optional({ ...Timestamp, description: "It failed too often. Nothing is sent before then." }),
    missed_before: Type.Optional({
      ...Timestamp,
      description: `Some events before then were not delivered within ${KEPT_DAYS} days, and are not any more.`,
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: "Webhook" },
);

export const WebhookWithSecret = extending("WebhookWithSecret", Webhook, {
  secret: Type.String({
    description: "Verifies `v1` signatures. Shown only now: `whsec_` and the base64 of 32 bytes.",
    examples: ["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD8Gl5WkTxQaY="],
  }),
});

export const WebhookList = ListOf(Webhook);

export const RotateBody = closed({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_HOURS.max,
      description: `How long the earlier keys sign as well (default ${OVERLAP_HOURS.default}). 0 ends all of them now.`,
    }),
  ),
});

export const Ping = Type.Object(
  { object: Type.Literal("webhook_ping"), event_id: Id("evt") },
  { title: "WebhookPing" },
);

export const WebhookKeys = Type.Object(
  {
    object: Type.Literal("webhook_keys"),
    webhook_id: Id("whe"),
    keys: Type.Array(
      Type.Object({
        public_key: PublicKey,
        created_at: Timestamp,
        expires_at: Type.Optional({ ...Timestamp, description: "Of a replaced key: until then it signs as well." }),
      }),
      { description: "The current key first." },
    ),
  },
  { title: "WebhookKeys" },
);

const DeliveryStatus = named("DeliveryStatus", oneOf(["succeeded", "failed"]));

export const DeliveriesQuery = closed({ ...paging, status: Type.Optional(DeliveryStatus) });

export const Delivery = Type.Object(
  {
    id: Id("wha"),
    object: Type.Literal("webhook_delivery"),
    event_id: Id("evt"),
    type: Type.String(),
    attempt: Type.Integer({ description: "Counted from 1." }),
    status: DeliveryStatus,
    response_status: Type.Optional(Type.Integer()),
    response_start: Type.Optional(Type.String({ description: "The first kilobyte of the answer, if it is text." })),
    error: Type.Optional(
      named("DeliveryError", oneOf(Object.keys(DELIVERY_ERRORS) as (keyof typeof DELIVERY_ERRORS)[])),
    ),
    address: Type.Optional(Type.String({ description: "The IP address." })),
    duration_ms: Type.Integer(),
    at: Timestamp,
    next_attempt_at: Type.Optional({ ...Timestamp, description: "Unless the endpoint rests." }),
  },
  { title: "WebhookDelivery" },
);

export const DeliveryList = ListOf(Delivery);

export const OrderDeliveriesQuery = closed({
  ...paging,
  order: Type.String({ pattern: `${idPattern("msg")}|${idPattern("pur")}|${idPattern("blk")}` }),
});

export const OrderDeliveryList = ListOf(
  extending("OrderDelivery", Delivery, { webhook: Type.Object({ id: Id("whe"), url: Type.String() }) }),
);

export const ReplayBody = closed(
  {
    event_id: Type.Optional({ ...Id("evt"), description: "`evt_` and 26 characters: this event." }),
    since: Type.Optional({ ...Timestamp, description: "All events of the chosen types from then on." }),
    until: Type.Optional({ ...Timestamp, description: "With `since`: the end of the range. Default: now." }),
    failed_since: Type.Optional({
      ...Timestamp,
      description: "All events that failed from then on, and were not delivered later.",
    }),
    after: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "With `since` or `failed_since`: `next_cursor` of the answer before.",
      }),
    ),
  },
  { description: "Give exactly one of `event_id`, `since` and `failed_since`." },
);

export const Replay = Type.Object(
  {
    object: Type.Literal("webhook_replay"),
    count: Type.Integer({ description: "Events that are delivered again." }),
    next_cursor: Type.Optional(Type.String({ description: "There are more: repeat the request with this `after`." })),
  },
  { title: "WebhookReplay" },
);
