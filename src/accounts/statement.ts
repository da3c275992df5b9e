import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo, ZERO_KOBO } from "../kernel/kobo.ts";
import { invariant } from "../kernel/result.ts";
import {
  type CommitsWanted,
  type Movement,
  readCommits,
  readMovements,
  type Wallet,
  type WalletCommit,
} from "./statement.repo.ts";

/**
 * The wallet's statement. Its lines stand in the order in which their transactions were committed, and a line that was once
 * read never changes nor gets another before it: what happens later to a hold is a line of its own.
 */

export const LINE_KINDS = ["hold", "charge", "return", "credit", "debit", "fee", "refund"] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** Where a line stands: the position of its commit, and its number there. Larger is newer. */
export interface Place {
  readonly position: bigint;
  readonly number: number;
}

export interface Line {
  readonly place: Place;
  readonly kind: LineKind;
  readonly movement: Movement;
  readonly amountKobo: Kobo;
  readonly at: Date;
  /** The wallet after this line. */
  readonly balanceKobo: Kobo;
  readonly heldKobo: Kobo;
}

export interface StatementFilters {
  readonly kind?: LineKind;
  readonly orderId?: Uuid;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
}

export interface StatementPage {
  /** Newest first. */
  readonly lines: readonly Line[];
  /** Go on after this place; undefined at the end. With a filter there may be more although few lines, or none, were found. */
  readonly next: Place | undefined;
}

/** Lines that one query reads for a filter, and that one page may look through for it. */
const LINES_MAX = 1_000;
const LOOKED_AT_MAX = 10_000;

export async function readStatement(
  db: Db,
  wallet: Wallet,
  filters: StatementFilters,
  { after, limit }: { readonly after?: Place | undefined; readonly limit: number },
): Promise<StatementPage> {
  const { kind, orderId } = filters;
  const having = kind && HAVING[kind];
  const found: Line[] = [];
  const isFiltered = kind !== undefined || orderId !== undefined;
  const linesMax = isFiltered ? LINES_MAX : Math.min(limit + 1, LINES_MAX);
  let lookedAt = 0;
  let last = after;
  for (;;) {
    const commits = await readCommits(db, wallet, {
      ...filters,
      ...(having && { having }),
      ...(last && { from: last.number > 0 ? last.position : last.position - 1n }),
      linesMax,
    });
    if (commits.length === 0) return { lines: found, next: undefined };
    const ids = commits.flatMap(({ decided, opened }) => [...decided, ...opened]);
    const movements = await readMovements(db, wallet.accountId, ids);
    for (const line of commits.flatMap((commit) => linesOf(commit, movements))) {
      if (last && !isBefore(line.place, last)) continue;
      if (found.length === limit || lookedAt >= LOOKED_AT_MAX) return { lines: found, next: last };
      lookedAt += 1;
      last = line.place;
      const isOfOrder = orderId === undefined || line.movement.order?.id === orderId;
      if (isOfOrder && (kind === undefined || line.kind === kind)) found.push(line);
    }
  }
}

const HAVING: Readonly<Record<LineKind, NonNullable<CommitsWanted["having"]>>> = {
  hold: "hold",
  charge: "decided",
  return: "decided",
  credit: "credit",
  debit: "debit",
  fee: "fee",
  refund: "refund",
};

const isBefore = (one: Place, other: Place): boolean =>
  one.position < other.position || (one.position === other.position && one.number < other.number);

/** The lines of a commit, newest first: what it left is known, and each line says what was there before it. */
export function linesOf(commit: WalletCommit, movements: ReadonlyMap<Uuid, Movement>): readonly Line[] {
  const movementOf = (id: Uuid): Movement => {
    const movement = movements.get(id);
    invariant(movement, `transfer ${id} of a statement is there`);
    return movement;
  };
  const oldestFirst = [
    ...commit.decided.map((id) => decision(movementOf(id))),
    ...commit.opened.map((id) => opening(movementOf(id))),
  ];
  let { balanceKobo, heldKobo } = commit;
  const lines: Line[] = [];
  for (const [number, { balance, held, ...line }] of [...oldestFirst.entries()].reverse()) {
    lines.push({ ...line, place: { position: commit.position, number }, at: commit.at, balanceKobo, heldKobo });
    balanceKobo = kobo(balanceKobo - balance);
    heldKobo = kobo(heldKobo - held);
  }
  return lines;
}

/** A line, and by how much it changes balance and held. */
type Effect = Pick<Line, "kind" | "movement" | "amountKobo"> & { readonly balance: bigint; readonly held: bigint };

/** A hold that was taken, at least in part, or that went back. */
function decision(movement: Movement): Effect {
  const taken = movement.postedKobo ?? ZERO_KOBO;
  const held = -movement.amountKobo;
  return taken > 0n
    ? { kind: "charge", movement, amountKobo: taken, balance: -taken, held }
    : { kind: "return", movement, amountKobo: movement.amountKobo, balance: 0n, held };
}

function opening(movement: Movement): Effect {
  const { kind, amountKobo, takes } = movement;
  if (kind === "hold") return { kind, movement, amountKobo, balance: 0n, held: amountKobo };
  return { kind, movement, amountKobo, balance: takes ? -amountKobo : amountKobo, held: 0n };
}
