import { listOf } from "../http/schemas.ts";

const ID = "whe_01kb3v9q4ze1xb8m6t2r5y7w0n";
export const EVENT_ID = "evt_01kb3v9q4ze1xb8m6t2r5y7w0n";

export const NEW = {
  "All events": { url: "https://example.ng/hooks/afara" },
  "SMS and the wallet": { url: "https://example.ng/hooks/afara", types: ["sms.*", "wallet.low"], description: "Shop" },
};

const WEBHOOK = {
  id: ID,
  object: "webhook",
  mode: "live",
  url: "https://example.ng/hooks/afara",
  types: ["sms.*", "wallet.low"],
  description: "Shop",
  status: "active",
  public_key: "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
  waiting: 0,
  created_at: "2026-11-27T09:00:00.000Z",
  updated_at: "2026-11-27T09:00:00.412Z",
};
const UNVERIFIED = { ...WEBHOOK, status: "unverified", updated_at: WEBHOOK.created_at };
const SECRET = { secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD8Gl5WkTxQaY=" };

export const CREATED = [{ status: 201, summary: "Awaiting its ping", value: { ...UNVERIFIED, ...SECRET } }];
export const ROTATED = [{ status: 200, summary: "New keys", value: { ...WEBHOOK, ...SECRET } }];
export const SHOWN = [{ status: 200, summary: "Active", value: WEBHOOK }];
export const LISTED = [{ status: 200, summary: "One endpoint", value: listOf([WEBHOOK]) }];
export const CHANGES = { Pause: { status: "paused" }, "Another address": { url: "https://example.ng/hooks/v2" } };
export const CHANGED = [{ status: 200, summary: "Paused", value: { ...WEBHOOK, status: "paused" } }];
export const ROTATION = { "Two days for the change": { overlap_hours: 48 } };
export const PINGED = [{ status: 202, summary: "On its way", value: { object: "webhook_ping", event_id: EVENT_ID } }];
export const KEYS = [
  {
    status: 200,
    summary: "One key",
    value: {
      object: "webhook_keys",
      webhook_id: ID,
      keys: [{ public_key: WEBHOOK.public_key, created_at: WEBHOOK.created_at }],
    },
  },
];
export const DELIVERIES = [
  {
    status: 200,
    summary: "A failed attempt",
    value: listOf([
      {
        id: "wha_01kb3v9q4ze1xb8m6t2r5y7w0n",
        object: "webhook_delivery",
        event_id: EVENT_ID,
        type: "sms.delivered",
        attempt: 1,
        status: "failed",
        response_status: 500,
        response_start: "Internal Server Error",
        error: "http_error",
        address: "203.0.113.7",
        duration_ms: 84,
        at: "2026-11-27T09:00:00.412Z",
        next_attempt_at: "2026-11-27T09:00:05.701Z",
      },
    ]),
  },
];
export const REPLAYS = {
  "One event": { event_id: EVENT_ID },
  "A range": { since: "2026-11-27T09:00:00Z", until: "2026-11-27T10:00:00Z" },
  "All that failed": { failed_since: "2026-11-26T00:00:00Z" },
};
export const REPLAYED = [{ status: 202, summary: "On their way", value: { object: "webhook_replay", count: 12 } }];
