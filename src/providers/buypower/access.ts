import type { ProbeAnswer } from "../../ports/provider.ts";
import { fieldsOf, readFields, textOf } from "../../vendor-text/fields.ts";
import { otherAnswer, strayAnswer } from "../access-probe.ts";
import type { HttpOutcome } from "../http-call.ts";
import { refusalOfAccess } from "./statuses.ts";

/**
 * Whether BuyPower takes our token, by its answer to `GET /wallet/balance`; undefined when it says nothing of it. An account without
 * our token can't sign with it, so a refusal counts without a signature.
 */
export function accessOf(outcome: HttpOutcome, isSigned: boolean): ProbeAnswer | undefined {
  const stray = strayAnswer(outcome);
  if (stray || outcome.kind !== "answered") return stray;
  const { status, text } = outcome;
  const refusal = refusalOfAccess(status);
  if (refusal !== undefined) return { kind: "refused", detail: refusal };
  if (status === 429) return undefined;
  if (status !== 200 || balanceIn(text) === undefined) return otherAnswer(status);
  return isSigned
    ? { kind: "reached" }
    : {
        kind: "not_reached",
        detail: "HTTP 200 without the vendor's signature: is it BuyPower, and `checkSignature` right?",
      };
}

/** The account's balance in naira, undefined where there is none. The vendor's own pages have it in two places. */
export function balanceIn(text: string): string | undefined {
  const body = readFields(text) ?? {};
  return textOf(body, ["balance"]) ?? textOf(fieldsOf(body.data), ["balance"]);
}
