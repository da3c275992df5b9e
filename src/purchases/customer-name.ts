/** Names are compared, never parsed: what a vendor writes differently from call to call must not look like another customer. */

const NAME_MAX = 200;
const MASK = "*";

/** Capital letters and digits without accents, and `*` for each run of masked ones; one space between words. */
const plain = (name: string): string =>
  name
    .slice(0, NAME_MAX)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}*]+/gu, " ")
    .replace(/\*+/g, MASK)
    .trim();

/**
 * Whether both names can be the same customer's. Case, accents, punctuation and the order of words don't count (`OBI, Ada` is
 * `Ada Obi`); what a vendor masks (`AD** O**`) may be anything, and a name that is not said at all is nobody else's.
 */
export function isSameCustomer(one: string, other: string): boolean {
  const [a, b] = [plain(one), plain(other)];
  if (a === "" || b === "") return true;
  if (a.includes(MASK) || b.includes(MASK)) return matches(a.replaceAll(" ", ""), b.replaceAll(" ", ""));
  return inOrder(a) === inOrder(b);
}

const inOrder = (name: string): string => name.split(" ").sort().join(" ");

/** Whether some text fits both patterns, `*` being any text. A row of the table says which beginnings of `b` fit that of `a`. */
function matches(a: string, b: string): boolean {
  let row = Array.from({ length: b.length + 1 }, (_, j) => [...b.slice(0, j)].every((letter) => letter === MASK));
  for (const letter of a) {
    const next = [row[0]! && letter === MASK];
    for (let j = 1; j <= b.length; j++) {
      const other = b[j - 1];
      const isAny = letter === MASK || other === MASK;
      next.push(isAny ? row[j - 1]! || row[j]! || next[j - 1]! : row[j - 1]! && letter === other);
    }
    row = next;
  }
  return row[b.length]!;
}
