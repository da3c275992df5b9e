import { membersIn } from "./fields.ts";
import { GROUP_DIGITS_MAX, TIMED_NUMBER, TOKEN_DIGITS, withoutTimes } from "./spelled-tokens.ts";
import { isTokenValue, MAYBE_TOKEN } from "./sts.ts";

/** Names under which vendors put tokens; a text under one of them may hold several. */
const TOKEN_NAMES = /token|kct|purchased_?code|parcel|^(?:content|extras|pin)$/i;

const TOKEN_OBJECTS = /token|kct/i;

/**
 * Whether an answer shows a token, wherever it stands: one that says that nothing was sold is then not believed. It asks for less
 * than `hideTokens` hides, as money stays held by each number that is taken for a token and is none: the vendor's references,
 * times, phones, amounts. `references`: the names under which a vendor puts numbers of its own, or of ours.
 */
export const showsToken = (answer: unknown, references: ReadonlySet<string>): boolean =>
  [...Map.groupBy(membersIn(answer), ({ name, within }) => `${name} in ${within}`).values()].some((members) => {
    const { name, within } = members[0]!;
    if (references.has(name)) return false;
    const isNamed = TOKEN_NAMES.test(name) || TOKEN_OBJECTS.test(within);
    const texts = members.map(({ text }) => text);
    // A list may have a token's groups.
    return (isNamed ? [...texts, texts.join(" ")] : texts).some((text) => spellsToken(text, isNamed));
  });

/** `isNamed`: it stands where tokens stand, so that whatever may be one counts. */
function spellsToken(text: string, isNamed: boolean): boolean {
  const timeless = withoutTimes(text);
  return [...timeless.matchAll(MAYBE_TOKEN)].some(({ 0: run, index }) =>
    holdsToken(
      run.match(/\p{Nd}+/gu) ?? [],
      isNamed || /token\s*[:=]?\s*$/i.test(timeless.slice(Math.max(0, index - 20), index)),
    ),
  );
}

function holdsToken(groups: readonly string[], isNamed: boolean): boolean {
  return groups.some((first, at) => {
    if (first.length > TOKEN_DIGITS) return isNamed && /[^0]/.test(first);
    if (first.length === TOKEN_DIGITS) return isTokenValue(first) && (isNamed || !TIMED_NUMBER.test(first));
    let digits = "";
    for (const group of groups.slice(at, at + TOKEN_DIGITS)) {
      if ((group.length > GROUP_DIGITS_MAX && !isNamed) || digits.length >= TOKEN_DIGITS) break;
      digits += group;
    }
    return digits.length === TOKEN_DIGITS && isTokenValue(digits);
  });
}
