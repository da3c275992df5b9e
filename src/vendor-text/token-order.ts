import type { TokenParcel } from "../ports/purchase-payload.ts";
import type { SaidToken, SaidTokens } from "./said-tokens.ts";
import type { SaidKind } from "./token-words.ts";
import { quoted } from "./words.ts";

/** What a vendor's answer to a delivered sale comes to. */
export interface TokenOrder {
  /** In the order of entering: key changes, energy, bonus. Empty while the customer could not use them: without energy, or with half a key change. */
  readonly tokens: readonly Pick<TokenParcel, "kind" | "value">[];
  /** The kind of which it has two different ones where a sale has one: nobody knows which is right. */
  readonly twice?: TokenParcel["kind"];
  /** What a person must look at: all that may be a token and was not taken. Without tokens in the clear. */
  readonly doubts: readonly string[];
}

export const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];

export const valuesOf = ({ tokens }: SaidTokens, kind: SaidKind): readonly string[] =>
  distinct(tokens.flatMap((one) => (one.kind === kind && one.isNamed ? one.value : [])));

/** `credits`: the energy tokens, as the vendor's own names tell them. */
export function orderTokens(said: SaidTokens, credits: readonly string[]): TokenOrder {
  const changes = keyChange(said, credits);
  const bonuses = valuesOf(said, "bonus").filter((value) => !credits.includes(value));
  const twice = changes.twice ?? (bonuses.length > 1 ? "bonus" : undefined);
  const isUsable = credits.length > 0 && !changes.isHalf;
  const parcels = [
    ...changes.tokens,
    ...credits.map((value) => asParcel("credit", value)),
    ...bonuses.slice(0, 1).map((value) => asParcel("bonus", value)),
  ];
  const taken = isUsable ? parcels : [];
  return { tokens: taken, ...(twice !== undefined && { twice }), doubts: doubtsOf(said, taken, changes) };
}

interface KeyChange {
  readonly tokens: readonly Pick<TokenParcel, "kind" | "value">[];
  /** One of its two parts is missing, or can't be read: a meter takes both or none. */
  readonly isHalf: boolean;
  /** Its parts have the digits of each other, or of the energy. */
  readonly isSame: boolean;
  readonly twice?: "kct1" | "kct2";
}

function keyChange(said: SaidTokens, credits: readonly string[]): KeyChange {
  const others = said.tokens.filter(
    ({ value, isNamed, isByAnotherWord }) => isNamed && !(isByAnotherWord && credits.includes(value)),
  );
  const clear = said.unread.filter(({ isByAnotherWord }) => !isByAnotherWord);
  const isUnread = clear.some(({ kind }) => kind === "kct1" || kind === "kct2" || kind === "key_change");
  const [firsts, seconds] = [partsOf(others, "kct1"), partsOf(others, "kct2")];
  const twice = firsts.values.length > 1 ? "kct1" : seconds.values.length > 1 ? "kct2" : undefined;
  const counted = [...firsts.values, ...seconds.values];
  // A third part, or which of the two is first, nobody knows.
  const unnumbered = valuesOf({ ...said, tokens: others }, "key_change").filter((value) => !counted.includes(value));
  const [one, two, ...more] = counted.length > 0 ? [firsts.values[0], seconds.values[0], ...unnumbered] : unnumbered;
  // Each part has digits of its own, and so has the energy.
  const isSame =
    (one !== undefined && one === two) || [one, two].some((value) => value !== undefined && credits.includes(value));
  if (one !== undefined && two !== undefined && more.length === 0 && !isUnread && !isSame)
    return { tokens: [asParcel("kct1", one), asParcel("kct2", two)], isHalf: false, isSame, ...(twice && { twice }) };
  // One of another word may be for something else: a meter's reset is no key change.
  const isHalf = isSame || isUnread || firsts.isClear || seconds.isClear || unnumbered.length > 0;
  return { tokens: [], isHalf, isSame, ...(twice && { twice }) };
}

const asParcel = <Kind extends TokenParcel["kind"]>(kind: Kind, value: string) => ({ kind, value });

/** Those that the clear words name; those of another word only where there are none. */
function partsOf(tokens: readonly SaidToken[], kind: "kct1" | "kct2") {
  const named = tokens.filter((one) => one.kind === kind);
  const clear = named.filter(({ isByAnotherWord }) => !isByAnotherWord);
  const isClear = clear.length > 0;
  return { values: distinct((isClear ? clear : named).map(({ value }) => value)), isClear };
}

function doubtsOf(
  said: SaidTokens,
  taken: readonly { readonly value: string }[],
  { isHalf, isSame }: KeyChange,
): readonly string[] {
  const left = said.tokens.filter(({ value }) => !taken.some((one) => one.value === value));
  const names = [...Map.groupBy(left, ({ value }) => value)].map(
    ([value, [first]]) => `${quoted(first!.name)} (…${value.slice(-4)})`,
  );
  return [
    ...(isSame ? ["the same token came under two kinds, of which a meter takes none"] : []),
    ...(isHalf && !isSame ? ["half a key change came, which no meter takes"] : []),
    ...(names.length > 0 ? [`what may be a token was not taken: ${names.slice(0, NAMES_MAX).join(", ")}`] : []),
    ...said.unread.slice(0, NAMES_MAX).map(({ name }) => `${quoted(name)} has no whole token`),
  ];
}

const NAMES_MAX = 10;
