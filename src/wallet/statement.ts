import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo, ZERO_KOBO } from "../kernel/kobo.ts";
import { invariant } from "../kernel/result.ts";
import { topUpReason } from "../ledger/ledger.repo.ts";
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

export const LINE_KINDS = ["hold", "charge", "return", "refund", "credit", "debit", "fee", "topup"] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** Where a line stands: the position of its commit, and its number there. Larger is newer. */
export interface Place {
  readonly position: bigint;
  readonly number: number;
}

export interface Line {
  readonly place: Place;
  /** Of this line and no other. */
  readonly id: Uuid;
  readonly kind: LineKind;
  readonly movement: Movement;
  /** Its change of the balance: all lines add up to the balance. */
  readonly changeKobo: Kobo;
  /** Its change of the held amount. */
  readonly heldChangeKobo: Kobo;
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
  topup: "credit",
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
  for (const [number, line] of [...oldestFirst.entries()].reverse()) {
    lines.push({ ...line, place: { position: commit.position, number }, at: commit.at, balanceKobo, heldKobo });
    balanceKobo = kobo(balanceKobo - line.changeKobo);
    heldKobo = kobo(heldKobo - line.heldChangeKobo);
  }
  return lines;
}

type Effect = Pick<Line, "id" | "kind" | "movement" | "changeKobo" | "heldChangeKobo">;

/** A hold that was charged, at least in part, or returned. */
function decision(movement: Movement): Effect {
  const charged = movement.postedKobo ?? ZERO_KOBO;
  return {
    id: idOfEnd(movement.id),
    kind: charged > 0n ? "charge" : "return",
    movement,
    changeKobo: kobo(-charged),
    heldChangeKobo: kobo(-movement.amountKobo),
  };
}

function opening(movement: Movement): Effect {
  const { id, amountKobo, takes, reason } = movement;
  if (movement.kind === "hold")
    return { id, kind: "hold", movement, changeKobo: ZERO_KOBO, heldChangeKobo: amountKobo };
  const kind = reason === topUpReason(id) ? "topup" : movement.kind;
  return { id, kind, movement, changeKobo: takes ? kobo(-amountKobo) : amountKobo, heldChangeKobo: ZERO_KOBO };
}

/**
 * Of the line that ends a hold. One transfer makes both lines; the first has its id, a UUIDv7, and the second the same as a UUIDv8,
 * which no transfer has.
 */
const idOfEnd = (id: Uuid): Uuid => `${id.slice(0, VERSION_AT)}8${id.slice(VERSION_AT + 1)}` as Uuid;
const VERSION_AT = 14;

/** A statement line's transfer, by the line's ID. */
export const transferOfLine = (id: Uuid): Uuid =>
  id[VERSION_AT] === "8" ? (`${id.slice(0, VERSION_AT)}7${id.slice(VERSION_AT + 1)}` as Uuid) : id;
