/**
 * JSON with the members of every object in the order of their names (UTF-16 code units, as RFC 8785 section 3.2.3), so
 * that equal values give equal text. Shape: a value as `JSON.parse` gives it, already validated, so of small depth.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${membersOf(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
    .join(",")}}`;
}

/** Items of a long list that make one piece. */
const ITEMS_A_PIECE = 100;

/** The same text in pieces, for an object whose members are long lists: a piece for each member, several for a long list. */
export function* canonicalPieces(value: unknown): Generator<string, void, void> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    yield canonicalJson(value);
    return;
  }
  let before = "{";
  for (const [name, member] of membersOf(value)) {
    yield `${before}${JSON.stringify(name)}:`;
    if (Array.isArray(member)) yield* listPieces(member);
    else yield canonicalJson(member);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

function* listPieces(list: readonly unknown[]): Generator<string, void, void> {
  yield "[";
  for (let start = 0; start < list.length; start += ITEMS_A_PIECE) {
    const items = list.slice(start, start + ITEMS_A_PIECE).map(canonicalJson);
    yield `${start === 0 ? "" : ","}${items.join(",")}`;
  }
  yield "]";
}

const membersOf = (value: object): [string, unknown][] =>
  Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
