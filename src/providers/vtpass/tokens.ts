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
  const places = placesIn(body, extras);
  const [kct1, kct2, credit, bonus] = KINDS.map((kind) => valuesOf(kind, places)[0]);
  if (credit === undefined) return [];
  const units = (keys: readonly string[]) => readUnits(places.flatMap((place) => textOf(place, keys) ?? [])[0]);
  const parcels = [
    parcel("kct1", kct1),
    parcel("kct2", kct2),
    parcel("credit", credit, units(UNITS_KEYS)),
    parcel("bonus", bonus, units(BONUS_UNITS_KEYS)),
  ];
  return parcels.flatMap((one) => one ?? []);
}

/** A delivered purchase has one token of a kind, under however many names. Undefined: so it is. */
export function whyNotOneToken(body: Fields, extras: unknown): string | undefined {
  const places = placesIn(body, extras);
  const kind = KINDS.find((one) => valuesOf(one, places).length > 1);
  return kind && `it is said to be delivered, and has two tokens of one kind (${kind})`;
}

const KINDS = ["kct1", "kct2", "credit", "bonus"] as const satisfies readonly TokenParcel["kind"][];

const placesIn = (body: Fields, extras: unknown): readonly Fields[] => [
  body,
  isFields(extras) ? extras : { purchased_code: extras },
];

/** The different tokens of a kind, in the order of places and names. */
function valuesOf(kind: TokenParcel["kind"], places: readonly Fields[]): readonly string[] {
  const textsAt = (keys: readonly string[]) =>
    places.flatMap((place) => keys.flatMap((key) => textOf(place, [key]) ?? []));
  const sold = textsAt(CREDIT_KEYS).map(split);
  const credits = sold.map(({ main }) => main);
  switch (kind) {
    case "credit":
      return distinct(credits);
    case "bonus":
      return distinct([...textsAt(BONUS_KEYS).map(readToken), ...sold.map((text) => text.bonus)]).filter(
        (value) => !credits.includes(value),
      );
    default:
      return distinct(textsAt(kind === "kct1" ? KCT1_KEYS : KCT2_KEYS).map(readToken));
  }
}

const distinct = (values: readonly (string | undefined)[]): readonly string[] => [
  ...new Set(values.flatMap((value) => value ?? [])),
];

const parcel = (kind: TokenParcel["kind"], value: string | undefined, units?: string): TokenParcel | undefined =>
  value === undefined ? undefined : { kind, value, ...(units === undefined ? {} : { units_kwh: units }) };

/** `Token : X Bonus Token : Y`, in any case, each part with or without its name. */
function split(text: string): { readonly main: string | undefined; readonly bonus: string | undefined } {
  const at = text.search(/bonus/i);
  const [main, bonus] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at).replace(/^bonus/i, "")];
  return { main: readToken(main), bonus: readToken(bonus) };
}
