import type { FailureCode } from "../../kernel/failures.ts";
import type { ChatReportStatus } from "../../ports/chat-payload.ts";
import type { ProviderReport } from "../../ports/provider.ts";
import { type Fields, fieldsOf } from "../../vendor-text/fields.ts";
import { errorOf, NEUTRAL } from "./errors.ts";
import { codeOf, wordsOf } from "./graph-error.ts";
import { timeOf } from "./time.ts";
import { isReference } from "./wire/reference.ts";

/** Meta's words of a message's way. A voice note that was played was read; `deleted` tells nothing of the delivery. */
export const STATUSES: Readonly<Record<string, ChatReportStatus | "ignored">> = {
  sent: "sent",
  delivered: "delivered",
  read: "read",
  played: "read",
  failed: "failed",
  deleted: "ignored",
};

/** The recipient stopped this business's marketing. Source: Meta, error codes. */
const OPTED_OUT = "131050";

/** Undefined: it says nothing that we know of, or of no message. Source: Meta, webhooks, “Status messages”. */
export function reportOf(status: Fields, receivedAt: Date): ProviderReport | undefined {
  const { id, status: word, biz_opaque_callback_data: reference } = status;
  const means = typeof word === "string" && Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
  if (means === undefined || means === "ignored" || typeof id !== "string" || id === "") return undefined;
  const pricing = pricingOf(status.pricing);
  const { recipient_user_id: userId } = status;
  const facts = {
    ...(pricing && { pricing }),
    ...(typeof userId === "string" && userId !== "" && { user_id: userId }),
    // It counts also where the message's end is known: a `failed` comes after `read`, too.
    ...(means === "failed" && codeOf(errorIn(status)) === OPTED_OUT && { opted_out: true }),
  };
  return {
    providerReference: id,
    ...(isReference(reference) && { ourReference: reference }),
    status: means,
    at: timeOf(status.timestamp, receivedAt),
    ...(means === "failed" && failureOf(errorIn(status))),
    ...(Object.keys(facts).length > 0 && { facts }),
  };
}

export const errorIn = ({ errors }: Fields): Fields => fieldsOf(Array.isArray(errors) ? errors[0] : undefined);

/** A state is an end, so what would be “not now” in an answer is an end here too. */
function failureOf(error: Fields): { readonly code: FailureCode; readonly detail: string } {
  const meaning = errorOf(codeOf(error))?.meaning;
  if (meaning?.kind === "rejected")
    return { code: meaning.code, detail: meaning.scope === "order" ? wordsOf(error) : NEUTRAL };
  if (meaning?.kind === "throttled" && meaning.alarm) return { code: "no_route", detail: NEUTRAL };
  return { code: meaning?.kind === "throttled" ? "rejected_by_network" : "not_delivered", detail: wordsOf(error) };
}

const PRICING = ["billable", "pricing_model", "type", "category"];

/** What Meta asks for it: on `sent`, and on one of `delivered` and `read`. */
function pricingOf(pricing: unknown): Fields | undefined {
  const known = Object.entries(fieldsOf(pricing)).filter(
    ([key, value]) => PRICING.includes(key) && (typeof value === "string" || typeof value === "boolean"),
  );
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
