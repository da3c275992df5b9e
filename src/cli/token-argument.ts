import type { TokenParcel } from "../ports/purchase-payload.ts";
import { readToken } from "../vendor-text/sts.ts";
import { CannotRun } from "./report.ts";
import type { Surroundings } from "./session.ts";

const KINDS: readonly string[] = ["credit", "bonus", "kct1", "kct2"] satisfies TokenParcel["kind"][];

/** In place of a token: they are the lines of the standard input, so that they stand in no shell's history and no list of processes. */
const INPUT = "-";

/**
 * The tokens that `--token` names, in their order: `1234 5678 9012 3456 7890`, with its kind in front where it is no credit
 * (`kct1:1234…`), or `-`. Commander would repeat a wrong one on the terminal, so they are read here: digits are told to nobody.
 */
export async function readTokens(
  texts: readonly string[],
  { readInput }: Pick<Surroundings, "readInput">,
): Promise<readonly TokenParcel[]> {
  const lines = texts.includes(INPUT) ? linesOf(await readInput("One token a line, then Ctrl-D:")) : [];
  const tokens = texts.flatMap((text) => (text === INPUT ? lines : [text])).map(readOne);
  const first = new Map<string, number>();
  for (const [index, { value }] of tokens.entries()) {
    const before = first.get(value);
    if (before !== undefined)
      throw new CannotRun(
        `Tokens ${before + 1} and ${index + 1} are the same digits. A meter takes a token once: give each once, and ask the vendor if it read the same out twice.`,
      );
    first.set(value, index);
  }
  return tokens;
}

/** What is wrong with the key change among tokens: a meter takes one part and then the other, or none. */
export function keyChangeFault(tokens: readonly Pick<TokenParcel, "kind">[]): string | undefined {
  const [first = 0, second = 0] = ["kct1", "kct2"].map((kind) => tokens.filter((one) => one.kind === kind).length);
  if (first === second && first <= 1) return undefined;
  return `A key change is one kct1 and one kct2, and a meter takes both or none: of kct1 there ${first === 1 ? "is 1" : `are ${first}`}, of kct2 ${second}. Ask the vendor for the missing part, or leave the key change out if there is none.`;
}

function linesOf(input: string): readonly string[] {
  const lines = input.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new CannotRun("No token came on the standard input. Write one a line.");
  return lines;
}

function readOne(text: string, index: number): TokenParcel {
  const [, kind = "credit", digits = ""] = /^(?:([a-z0-9]+):)?(.*)$/s.exec(text.trim()) ?? [];
  const value = readToken(digits);
  const which = `Token ${index + 1}`;
  if (!KINDS.includes(kind))
    throw new CannotRun(`${which} has another kind than there are: before the colon stands ${KINDS.join(", ")}.`);
  if (value === undefined)
    throw new CannotRun(
      `${which} is none: a token has 20 digits, of 73786976294838206463 at most, with or without spaces; its kind may stand before a colon.`,
    );
  return { kind: kind as TokenParcel["kind"], value };
}
