import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, koboToNaira } from "../kernel/kobo.ts";
import type { StatementStatus } from "../ports/provider.ts";
import { isRounded, type StatementLine } from "./statement.ts";

/** One attempt at a vendor, by our records. */
export interface OurAttempt {
  readonly reference: string;
  readonly accountId: Uuid;
  readonly orderId: Uuid;
  /** False: it was proven to have failed, and the order continued with another. */
  readonly isCurrent: boolean;
  /** `delivered` also when it came too late, at our loss. */
  readonly state: "delivered" | "undecided" | "failed" | "reversed";
  /** The vendor's charge to our float, by its own answer. */
  readonly costKobo: Kobo | undefined;
  readonly amountKobo: Kobo | undefined;
}

/** A vendor's record of one reference, over all its lines. */
export interface TheirWord {
  readonly reference: string;
  readonly ids: readonly string[];
  readonly costKobo: Kobo | undefined;
  readonly amountKobo: Kobo | undefined;
  /** Undefined: an unknown status word. */
  readonly status: StatementStatus | undefined;
  readonly word: string;
  /** The number of deliveries less reversals. */
  readonly deliveries: number;
}

/** The kinds of differences and their meanings. */
export const FINDINGS = {
  unknown_to_them: "delivered by our books, and not in the vendor's",
  unknown_to_us: "in the vendor's books, and not in ours",
  status_differs: "done by one side's books, and not by the other's",
  amount_differs: "the vendor took another amount than it told us",
  duplicate: "given more than once for one request of ours",
} as const;

export type FindingKind = keyof typeof FINDINGS;

export interface Finding {
  readonly kind: FindingKind;
  readonly reference: string;
  readonly order: { readonly accountId: Uuid; readonly id: Uuid } | undefined;
  /** A state or an amount. */
  readonly ours: string;
  readonly theirs: string;
  readonly ids: readonly string[];
}

export interface Comparison {
  readonly findings: readonly Finding[];
  /** References to query again, as the vendor has news: the order decides on the answer. */
  readonly askAgain: readonly string[];
}

/** A line's subject; undefined without our reference or the vendor's number. */
export const nameOf = ({ reference, id }: StatementLine): string | undefined =>
  reference ?? (id === undefined ? undefined : `without our reference: ${id}`);

/**
 * What a repeat of the line has in common with it: all of it, for exports overlap. A line without the vendor's number, or with one that a
 * spreadsheet has rounded, has no repeat: a second one like it may be a second delivery.
 */
const repeatOf = ({ line, id, cells }: StatementLine): string =>
  id === undefined || isRounded(id) ? `line ${line}` : JSON.stringify(cells);

/** A vendor's lines by subject. Identical lines count once. */
export function wordsOf(lines: readonly StatementLine[]): readonly TheirWord[] {
  const groups = Map.groupBy(
    lines.filter((line) => nameOf(line) !== undefined),
    (line) => nameOf(line)!,
  );
  return [...groups].map(([reference, all]) => {
    const own = [...new Map(all.map((line) => [repeatOf(line), line])).values()];
    const count = (status: StatementStatus) => own.filter((line) => line.status === status).length;
    const deliveries = count("delivered") - count("reversed");
    const unlisted = own.find(({ status }) => status === undefined);
    const status = unlisted
      ? undefined
      : deliveries > 0
        ? "delivered"
        : (["reversed", "pending", "failed"] as const).find((word) => count(word) > 0);
    const shown = own.find((line) => line.status === status) ?? own[0]!;
    return {
      reference,
      ids: own.flatMap(({ id }) => id ?? []),
      costKobo: shown.costKobo,
      amountKobo: shown.amountKobo,
      status,
      word: shown.word,
      deliveries,
    };
  });
}

/**
 * Both sides' books on the same attempts. `expected`: our attempts that the vendor must know of if they were delivered. An
 * attempt that we have not decided yet is no difference, whatever the vendor says: it is asked about.
 */
export function compare(
  ours: ReadonlyMap<string, OurAttempt>,
  theirs: readonly TheirWord[],
  expected: readonly OurAttempt[],
): Comparison {
  const findings: Finding[] = [];
  const askAgain: string[] = [];
  for (const word of theirs) {
    const own = ours.get(word.reference);
    const find = (kind: FindingKind, our: string, their: string) =>
      findings.push({
        kind,
        reference: word.reference,
        order: own && { accountId: own.accountId, id: own.orderId },
        ours: our,
        theirs: their,
        ids: word.ids,
      });
    if (!own) {
      find("unknown_to_us", "nothing", wordOf(word));
      continue;
    }
    if (word.deliveries > 1) find("duplicate", own.state, `${word.deliveries} deliveries`);
    if (own.state === "undecided") {
      if (word.status !== undefined && word.status !== "pending") askAgain.push(word.reference);
      continue;
    }
    if (!agree(own, word)) {
      find("status_differs", own.state, wordOf(word));
      if (own.isCurrent && word.status !== undefined && word.status !== "pending") askAgain.push(word.reference);
    } else if (own.state === "delivered") {
      const differing = amountsOf(own, word);
      if (differing) find("amount_differs", ...differing);
    }
  }
  const known = new Set(theirs.map(({ reference }) => reference));
  for (const { state, reference, accountId, orderId } of expected)
    if (state === "delivered" && !known.has(reference)) {
      const order = { accountId, id: orderId };
      findings.push({ kind: "unknown_to_them", reference, order, ours: state, theirs: "nothing", ids: [] });
    }
  return { findings, askAgain };
}

const wordOf = ({ status, word }: TheirWord): string =>
  status ?? (word === "" ? "no status" : `"${word.slice(0, 60)}"`);

/** Never delivered and reversed are equivalent. */
const agree = ({ state }: OurAttempt, { status }: TheirWord): boolean =>
  state === "delivered" ? status === "delivered" : status === "failed" || status === "reversed";

/** The cost, if both sides have it; otherwise the amount bought. */
function amountsOf(own: OurAttempt, word: TheirWord): [ours: string, theirs: string] | undefined {
  const pairs = [
    [own.costKobo, word.costKobo],
    [own.amountKobo, word.amountKobo],
  ] as const;
  const [our, their] = pairs.find((pair) => pair[0] !== undefined && pair[1] !== undefined) ?? [];
  return our === undefined || their === undefined || our === their ? undefined : [koboToNaira(our), koboToNaira(their)];
}
