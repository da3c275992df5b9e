import { ENDPOINTS_MAX, KEPT_DAYS, KEYS_MAX, REPLAY_MAX, WAITING_MAX } from "./endpoint.ts";

/** What the reference says about each operation, in Markdown. */

export const CREATE = `Events are posted to \`url\` as they happen, as Standard Webhooks with \`v1\` and \`v1a\` signatures:
[the guide](/docs/guides/webhooks) has the code that verifies them.

The endpoint is \`unverified\` until it has answered a \`webhook.ping\`, sent now, with 2xx. It then gets every event since it was made.
An account may have ${ENDPOINTS_MAX} endpoints in each mode. Tokens are in full if the key that makes the endpoint has the scope \`vend\`.`;

export const LIST = "Newest first.";

export const GET = `An endpoint that is \`active\` gets its events in order for each order or message, and at least once: repeats have the same \`webhook-id\`. With
${WAITING_MAX.toLocaleString("en")} of them waiting for another attempt, newer events wait too.`;

export const CHANGE = `With another \`url\`, and with \`active\` for an endpoint that is not, a ping must be answered first. While an endpoint is paused, unverified or disabled its events wait,
up to ${KEPT_DAYS} days.`;

export const DELETE = "Nothing is sent to it any more.";

export const ROTATE = `Makes a new secret and a new key pair. Until the end of the overlap each delivery has the signatures of both.
${KEYS_MAX} may sign at a time.`;

export const TEST = "Sends a `webhook.ping` now, whatever the endpoint's status. Its outcome is in the deliveries.";

export const DELIVERIES = `Every attempt of the last ${KEPT_DAYS} days, newest first.`;

export const REPLAY = `Delivers events again, oldest first, with the same \`webhook-id\` as before. At most ${REPLAY_MAX.toLocaleString("en")} events; \`next_cursor\` says that there are more.`;

export const KEYS = "Needs no key: the public keys that verify the `v1a` signatures of this endpoint.";
