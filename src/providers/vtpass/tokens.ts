import type { TokenParcel } from "../../kernel/purchase-payload.ts";
import { readToken, readUnits } from "../../kernel/sts.ts";
import { type Fields, isFields, textOf } from "../../kernel/vendor-fields.ts";

/** Where the discos put the main token, the clearest first; two of them prefix it, and some put a bonus behind it. */
const CREDIT_KEYS = ["mainToken", "token", "Token", "purchased_code"];
const BONUS_KEYS = ["bonusToken", "BonusToken", "bonus_token"];
const KCT1_KEYS = ["kct1", "KCT1"];
const KCT2_KEYS = ["kct2", "KCT2"];
const UNITS_KEYS = ["units", "Units", "mainTokenUnits"];
const BONUS_UNITS_KEYS = ["bonusTokenUnits"];

/**
 * The tokens of a delivered purchase in the order of entering: key changes, energy, bonus. Empty without an energy token:
 * then it has not come yet, and a key change alone is of no use.
 * Source: the samples on the vendor's pages of each disco; the token block stands at the top, in some requeries in
 * `content.transactions.extras`.
 */
export function readTokens(body: Fields, extras: unknown): readonly TokenParcel[] {
  const places: readonly Fields[] = [body, isFields(extras) ? extras : { purchased_code: extras }];
  for (const place of places) {
    const parcels = tokensAt(place);
    if (parcels.length > 0) return parcels;
  }
  return [];
}

function tokensAt(place: Fields): readonly TokenParcel[] {
  const texts = CREDIT_KEYS.flatMap((key) => textOf(place, [key]) ?? []).map(split);
  const credit = texts.find(({ main }) => main !== undefined)?.main;
  if (credit === undefined) return [];
  const bonus = readToken(textOf(place, BONUS_KEYS)) ?? texts.find((text) => text.bonus !== undefined)?.bonus;
  const parcels = [
    parcel("kct1", readToken(textOf(place, KCT1_KEYS))),
    parcel("kct2", readToken(textOf(place, KCT2_KEYS))),
    parcel("credit", credit, readUnits(textOf(place, UNITS_KEYS))),
    parcel("bonus", bonus === credit ? undefined : bonus, readUnits(textOf(place, BONUS_UNITS_KEYS))),
  ];
  return parcels.flatMap((one) => one ?? []);
}

const parcel = (kind: TokenParcel["kind"], value: string | undefined, units?: string): TokenParcel | undefined =>
  value === undefined ? undefined : { kind, value, ...(units === undefined ? {} : { units_kwh: units }) };

/** `Token : X Bonus Token : Y`, in any case, each part with or without its name. */
function split(text: string): { readonly main: string | undefined; readonly bonus: string | undefined } {
  const at = text.search(/bonus/i);
  const [main, bonus] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at).replace(/^bonus/i, "")];
  return { main: readToken(main), bonus: readToken(bonus) };
}
