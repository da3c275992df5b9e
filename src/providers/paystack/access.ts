import { statusAndCode } from "../../kernel/logged-code.ts";
import type { ProbeAnswer } from "../../ports/provider.ts";
import { otherAnswer, strayAnswer } from "../access-probe.ts";
import type { HttpOutcome } from "../http-call.ts";
import { isObject, parseJson, textOf } from "./answer.ts";

/** Whether Paystack takes our key, by its answer to `GET /balance`; undefined when it says nothing of it. */
export function accessOf(outcome: HttpOutcome): ProbeAnswer | undefined {
  const stray = strayAnswer(outcome);
  if (stray || outcome.kind !== "answered") return stray;
  const { status, text } = outcome;
  const envelope = parseJson(text);
  const said = statusAndCode(status, isObject(envelope) ? textOf(envelope.code) : undefined);
  if (status === 401) return { kind: "refused", detail: `Paystack refuses our secret key (${said})` };
  if (status === 403)
    return { kind: "refused", detail: `Paystack does not let us in (${said}): is our IP address allowed?` };
  if (status === 429) return undefined;
  const isItself = status === 200 && isObject(envelope) && envelope.status === true && Array.isArray(envelope.data);
  return isItself ? { kind: "reached" } : otherAnswer(status);
}
