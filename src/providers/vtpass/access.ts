import type { ProbeAnswer } from "../../ports/provider.ts";
import { fieldsOf, readFields, textOf } from "../../vendor-text/fields.ts";
import { otherAnswer, strayAnswer } from "../access-probe.ts";
import type { HttpOutcome } from "../http-call.ts";
import { refusalOfAccess } from "./statuses.ts";

/** VTpass's code for a reference that it does not know. */
const UNKNOWN_REFERENCE = "015";

/**
 * Whether VTpass lets us in, by its answer to a question that buys nothing; undefined when that does not show it. Its refusals come with
 * HTTP 200 as well as 401 and 403: the code in the body decides (docs/providers/vtpass.md).
 */
export function accessOf(call: "balance" | "requery", outcome: HttpOutcome): ProbeAnswer | undefined {
  if (outcome.kind !== "answered") return strayAnswer(outcome);
  const { status, text } = outcome;
  const body = readFields(text);
  const code = textOf(body ?? {}, ["code"]);
  const stray = body ? undefined : strayAnswer(outcome);
  if (stray) return stray;
  const refusal = refusalOfAccess(status, code);
  if (refusal !== undefined) return { kind: "refused", detail: refusal };
  if (status === 429) return undefined;
  const isItself =
    status === 200 &&
    (call === "requery" ? code === UNKNOWN_REFERENCE : fieldsOf(body?.contents).balance !== undefined);
  return isItself ? { kind: "reached" } : (strayAnswer(outcome) ?? otherAnswer(status, code));
}
