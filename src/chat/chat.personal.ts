import type { PersonalKind } from "../kernel/purged.ts";
import type { OwnColumns } from "../orders/order.ts";
import { emptyTexts } from "../orders/personal-data.ts";
import type { ChatPayload } from "../ports/chat-payload.ts";
import type { StoredFallback } from "./fallback.ts";

/** What is personal in chat messages, their fallbacks included. Their numbers are the order's own column. */

/** Members of a content that say of which kind it is, and the template's own names. */
const KEPT: ReadonlySet<string> = new Set(["type", "kind", "name", "language"]);

export function forgetChat({ payload, facts }: OwnColumns, kind: PersonalKind): OwnColumns {
  if (kind === "numbers") {
    const { user_id: _, ...rest } = facts ?? {};
    return { payload, facts: rest };
  }
  return { payload: kind === "texts" ? withoutTexts(payload as Stored) : payload, facts };
}

interface Stored extends ChatPayload {
  readonly sealed_body?: string;
  readonly media_url?: string;
  readonly fallback?: StoredFallback;
}

function withoutTexts({ content, sealed_body: _, media_url: _url, fallback, ...rest }: Stored) {
  return {
    ...rest,
    content: emptyTexts(content, KEPT),
    ...(fallback && { fallback: withoutTextsOf(fallback) }),
  };
}

function withoutTextsOf(fallback: StoredFallback) {
  if (fallback.via === "sms") return { ...fallback, sms: { ...fallback.sms, text: "" } };
  const { media_url: _, ...rest } = fallback;
  return { ...rest, content: emptyTexts(fallback.content, KEPT) };
}
