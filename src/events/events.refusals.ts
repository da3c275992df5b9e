import Type from "typebox";
import type { ErrorCodesOf, OwnRefusals } from "../http/problems.ts";

/** What only the feed and its streams refuse. */
export const EVENT_REFUSALS = {
  problems: {
    cursor_expired: { status: 410, title: "Events after the cursor are no longer kept" },
    too_many_streams: {
      status: 429,
      title: "Key has too many event streams open",
      retryable: true,
      members: { limit: Type.Integer({ description: "Streams that one key may have open on a node." }) },
    },
  },
  fieldCodes: [],
} as const satisfies OwnRefusals;

declare module "../kernel/refusal.ts" {
  interface ErrorCodes extends ErrorCodesOf<typeof EVENT_REFUSALS> {}
}
