import type { Outcome } from "../../ports/provider.ts";
import { type Fields, fieldsOf, isFields, readFields } from "../../vendor-text/fields.ts";
import { errorOf, NEUTRAL } from "./errors.ts";
import { codeOf, wordsOf } from "./graph-error.ts";

/**
 * What a whole answer to a message says. Success is a 2xx with the message's id, and no more than “taken”; everything else is
 * read by its error code. `waitMsMax`: the longest that a throttled one is asked to wait.
 */
export function outcomeOf(status: number, text: string, waitMsMax: number): Outcome {
  const body = readFields(text) ?? {};
  if (status >= 200 && status < 300) return taken(body) ?? unknown(`HTTP ${status} without the id of a message`);
  const error = fieldsOf(body.error);
  const code = codeOf(error);
  if (code === "") return unknown(`HTTP ${status} without an error code`);
  const listed = errorOf(code);
  if (!listed) return unknown(`the code ${code} is not listed`);
  const { meaning, says } = listed;
  switch (meaning.kind) {
    case "unknown":
      return unknown(wordsOf(error));
    case "throttled":
      return {
        kind: "throttled",
        retryAfterMs: Math.min(meaning.retryAfterMs, waitMsMax),
        // Of access tokens Meta's text may show the token itself.
        detail: meaning.alarm ? NEUTRAL : wordsOf(error),
      };
    case "rejected":
      return meaning.scope === "order"
        ? { kind: "rejected", scope: "order", code: meaning.code, detail: wordsOf(error) }
        : {
            kind: "rejected",
            scope: "route",
            code: meaning.code,
            detail: NEUTRAL,
            alarm: `WhatsApp: ${says} (#${code})`,
          };
  }
}

const unknown = (detail: string): Outcome => ({ kind: "unknown", detail });

function taken({ messages }: Fields): Outcome | undefined {
  const [message] = Array.isArray(messages) ? (messages as readonly unknown[]) : [];
  if (!isFields(message) || typeof message.id !== "string" || message.id === "") return undefined;
  const { id, message_status: pace } = message;
  // Of a new template: held until the first recipients' answers are known.
  const isHeld = typeof pace === "string" && pace !== "accepted";
  return { kind: "accepted", providerReference: id, ...(isHeld && { facts: { message_status: pace } }) };
}
