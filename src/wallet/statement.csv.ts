import { cell, csvLine } from "../kernel/csv.ts";
import type { StatementLine } from "./statement.schemas.ts";

/** The columns by heading. Money is a number with two decimal places, in `currency`. */
const COLUMNS = {
  id: ({ id }) => id,
  kind: ({ kind }) => kind,
  at: ({ at }) => at,
  amount: ({ amount }) => amount.amount,
  currency: ({ amount }) => amount.currency,
  order_id: ({ order_id }) => order_id,
  bulk_id: ({ bulk_id }) => bulk_id,
  reason: ({ reason }) => reason,
  balance_after: ({ balance_after }) => balance_after.amount,
  held_change: ({ held_change }) => held_change.amount,
  held_after: ({ held_after }) => held_after.amount,
  available_after: ({ available_after }) => available_after.amount,
} satisfies Record<string, (line: StatementLine) => string | undefined>;

export const CSV_COLUMNS = Object.keys(COLUMNS);

export const CSV_HEAD = csvLine(CSV_COLUMNS);

export const csvOf = (line: StatementLine): string =>
  csvLine(Object.values(COLUMNS).map((read) => cell(read(line) ?? "")));
