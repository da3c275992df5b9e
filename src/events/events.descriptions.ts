import { KEPT_DAYS } from "./position.ts";
import { STREAM_LIMITS } from "./streams.ts";

/** What the reference says about each operation, in Markdown. */

export const LIST = `Every change of your orders, what people wrote to you, and news of your wallet, in the order of their commits: **the oldest first**. Keep \`next_cursor\` and
ask again with it, now or later: nothing is passed over, however slow a transaction was, and nothing comes twice. Test and live keys have a feed each.

- The events of one order come in the order of their \`sequence\`.
- With \`type\` a page may be short or empty although \`has_more\` is true: go on with \`next_cursor\`.
- Without \`after\` it begins with the oldest event kept. Events are kept for ${KEPT_DAYS} days; an older cursor is refused with \`cursor_expired\`.
- Tokens are masked for keys without the scope \`vend\`.`;

export const STREAM = `The same events as they happen, as server-sent events (\`text/event-stream\`). Each has its cursor as \`id\`; the JSON in \`data\` is one line. There is no \`event\`
field: the type is in the data, so \`onmessage\` gets all.

- After a break send the last \`id\` as \`Last-Event-ID\` (EventSource does), and the stream goes on behind it. The same cursors work with \`GET /events\`.
- Without a cursor it begins now.
- Every ${STREAM_LIMITS.heartbeatMs / 1000} seconds without an event there is a comment with a fresh \`id\`.
- Events wait for a slow reader; one that takes nothing for 30 seconds is cut off and may come back.
- A stream ends when its key is revoked or the gateway stops. A key may have ${STREAM_LIMITS.eachKey} open.
- A browser's own \`EventSource\` can't send \`X-API-Key\`, and a key has no place in a page: read the stream on your server.`;
