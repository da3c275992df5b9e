import type { TokenParcel } from "../../../ports/purchase-payload.ts";
import { type Fields, factIn, fieldsOf } from "../../../vendor-text/fields.ts";
import { type SaidToken, type SaidTokens, saidTokens } from "../../../vendor-text/said-tokens.ts";
import { readUnits } from "../../../vendor-text/sts.ts";
import { distinct, orderTokens, type TokenOrder, valuesOf } from "../../../vendor-text/token-order.ts";

/** Where the discos put the main token; two of them prefix it, and some put a bonus behind it. */
const CREDIT_NAMES: ReadonlySet<string> = new Set(["mainToken", "token", "Token", "purchased_code"]);
const UNITS_KEYS = ["units", "Units", "mainTokenUnits"];
const BONUS_UNITS_KEYS = ["bonusTokenUnits"];

/** The tokens of a delivered purchase, with their units, and what speaks against them. */
export interface ReadTokens extends Pick<TokenOrder, "twice" | "doubts"> {
  readonly tokens: readonly TokenParcel[];
}

/**
 * Reads the tokens of a delivered purchase. The energy stands under one of the names above at the top or, in some requeries, in
 * `content.transactions.extras`; where it does not, under the one other name that is an energy token's. `ours`: what we said.
 * Source: the samples on the vendor's pages of each disco.
 */
export function readTokens(text: string, body: Fields, extras: unknown, ours: readonly string[]): ReadTokens {
  const said = saidTokens(text, ours);
  const clear = distinct(said.tokens.filter(isClear).map(({ value }) => value));
  const credits = clear.length > 0 ? clear : otherCredit(said);
  const order = orderTokens(said, credits.slice(0, 1));
  const places = [body, fieldsOf(extras)];
  const units = (keys: readonly string[]) =>
    places.map((place) => readUnits(factIn(place, keys))).find((one) => one !== undefined);
  const tokens = order.tokens.map((one): TokenParcel => {
    const own = one.kind === "credit" ? units(UNITS_KEYS) : one.kind === "bonus" ? units(BONUS_UNITS_KEYS) : undefined;
    return { ...one, ...(own !== undefined && { units_kwh: own }) };
  });
  const twice = clear.length > 1 ? ("credit" as const) : order.twice;
  return { tokens, doubts: order.doubts, ...(twice !== undefined && { twice }) };
}

const isClear = ({ kind, name, within }: SaidToken): boolean =>
  kind === "credit" &&
  (name === "extras" || (CREDIT_NAMES.has(name) && (within.length === 0 || within.at(-1) === "extras")));

/** The one that is called an energy token, or else the one that is called a token at all. Of several nobody knows which. */
function otherCredit(said: SaidTokens): readonly string[] {
  const credits = valuesOf(said, "credit");
  const [only, ...more] = credits.length > 0 ? credits : valuesOf(said, undefined);
  return only === undefined || more.length > 0 ? [] : [only];
}
