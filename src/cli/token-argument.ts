import type { TokenParcel } from "../ports/purchase.ts";
import { voucherKey } from "../ports/voucher.ts";
import { TOKEN_KINDS } from "./recipients.ts";
import { CannotRun } from "./report.ts";
import type { Surroundings } from "./session.ts";

/** Instead of a token: reads tokens from standard input, which keeps them out of the shell history and the process list. */
const INPUT = "-";

/**
 * Parses the `--token` values in order: `1234 5678 9012 3456 7890`, with its kind in front unless it is what a purchase
 * pays for (`kct1:1234…`), or `-`. Commander would echo a wrong value on the terminal, so they are parsed here: digits are never printed.
 */
export async function readTokens(
  texts: readonly string[],
  { readInput }: Pick<Surroundings, "readInput">,
): Promise<readonly TokenParcel[]> {
  const lines = texts.includes(INPUT) ? linesOf(await readInput("One token per line, then Ctrl-D:")) : [];
  const tokens = texts.flatMap((text) => (text === INPUT ? lines : [text])).map(readOne);
  const first = new Map<string, number>();
  for (const [index, { value }] of tokens.entries()) {
    const before = first.get(voucherKey(value));
    if (before !== undefined)
      throw new CannotRun(
        `Tokens ${before + 1} and ${index + 1} are the same. Each one works once: give each one once, and ask the vendor whether it repeated one by mistake.`,
      );
    first.set(voucherKey(value), index);
  }
  return tokens;
}

/** The fault in the tokens' key change: a meter accepts both parts, one after the other, or none. */
export function keyChangeFault(tokens: readonly Pick<TokenParcel, "kind">[]): string | undefined {
  const [first = 0, second = 0] = ["kct1", "kct2"].map((kind) => tokens.filter((one) => one.kind === kind).length);
  if (first === second && first <= 1) return undefined;
  return `A key change needs one kct1 and one kct2, as a meter accepts both or none: there ${first === 1 ? "is 1 kct1" : `are ${first} kct1`} and ${second} kct2. Ask the vendor for the missing part, or omit the key change if there is none.`;
}

function linesOf(input: string): readonly string[] {
  const lines = input.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new CannotRun("Standard input has no token. Write one per line.");
  return lines;
}

function readOne(text: string, index: number): TokenParcel {
  const [, said, code = ""] = /^(?:([a-z0-9]+):)?(.*)$/s.exec(text.trim()) ?? [];
  const which = `Token ${index + 1}`;
  const possible = TOKEN_KINDS.filter(({ kind, isPaid }) => (said === undefined ? isPaid : kind === said));
  if (possible.length === 0) {
    const kinds = TOKEN_KINDS.map(({ kind }) => kind).join(", ");
    throw new CannotRun(`${which} has an unknown kind: the word before the colon is one of ${kinds}.`);
  }
  for (const { kind, read } of possible) {
    const value = read(code);
    if (value !== undefined) return { kind, value };
  }
  const forms = possible.map(({ form }) => form).join("; ");
  throw new CannotRun(`${which} is not a token: ${forms}. Its kind and a colon may stand in front.`);
}
