import type { ProbeAnswer } from "../../ports/provider.ts";
import { fieldsOf, isFields, readFields, textOf } from "../../vendor-text/fields.ts";
import { otherAnswer, strayAnswer } from "../access-probe.ts";
import type { HttpOutcome } from "../http-call.ts";
import { errorOf } from "./errors.ts";
import { codeOf } from "./graph-error.ts";

/** An account has a few dozen numbers at most. */
export const NUMBERS_QUERY = "fields=id&limit=100";

/** What Graph says of an id that is none, or that the token may not see. */
const NO_SUCH_OBJECT = "100";

/**
 * Whether Meta lets us in, by its answer to `GET /{waba_id}/phone_numbers`; undefined when it says nothing of it. The code decides, never
 * the HTTP status. `ours`: the phone number ids of the settings.
 */
export function accessOf(outcome: HttpOutcome, ours: readonly string[]): ProbeAnswer | undefined {
  if (outcome.kind !== "answered") return strayAnswer(outcome);
  const { status, text } = outcome;
  const body = readFields(text);
  const code = codeOf(fieldsOf(body?.error));
  if (code !== "") return refusalOf(code, status);
  if (status === 200 && Array.isArray(body?.data)) {
    const ids = new Set((body.data as readonly unknown[]).filter(isFields).map((number) => textOf(number, ["id"])));
    const isWhole = fieldsOf(body.paging).next === undefined;
    const missing = isWhole ? ours.filter((id) => !ids.has(id)) : [];
    if (missing.length === 0) return { kind: "reached" };
    return {
      kind: "refused",
      detail: `WhatsApp: the business account has no number with the id ${missing.join(", ")}: is \`phoneNumberId\` right?`,
    };
  }
  return status === 429 ? undefined : (strayAnswer(outcome) ?? otherAnswer(status));
}

function refusalOf(code: string, status: number): ProbeAnswer | undefined {
  if (code === NO_SUCH_OBJECT)
    return {
      kind: "refused",
      detail: `WhatsApp: there is no business account with this id, or the token may not see it (#${code}): is \`wabaId\` right?`,
    };
  const error = errorOf(code);
  const { meaning } = error ?? {};
  if (meaning?.kind === "throttled" && !meaning.alarm) return status < 500 ? undefined : otherAnswer(status, code);
  if (error && meaning && "alarm" in meaning && meaning.alarm)
    return { kind: "refused", detail: `WhatsApp: ${error.says} (#${code})` };
  return otherAnswer(status, code);
}
