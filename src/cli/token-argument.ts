import { InvalidArgumentError } from "commander";
import type { TokenParcel } from "../kernel/purchase-payload.ts";
import { readToken } from "../kernel/sts.ts";

const KINDS: readonly string[] = ["credit", "bonus", "kct1", "kct2"] satisfies TokenParcel["kind"][];

/**
 * `1234 5678 9012 3456 7890`, or with its kind in front (`kct1:1234…`), of an option that may be given several times. Refusals don't
 * repeat the digits.
 */
export function token(text: string, before: readonly TokenParcel[] = []): readonly TokenParcel[] {
  const [, kind = "credit", digits = ""] = /^(?:([a-z0-9]+):)?(.*)$/s.exec(text.trim()) ?? [];
  const value = readToken(digits);
  if (!KINDS.includes(kind)) throw new InvalidArgumentError(`The kind of a token is one of ${KINDS.join(", ")}.`);
  if (value === undefined)
    throw new InvalidArgumentError(
      "A token has 20 digits, of 73786976294838206463 at most, with or without spaces; its kind may stand before a colon.",
    );
  return [...before, { kind: kind as TokenParcel["kind"], value }];
}
