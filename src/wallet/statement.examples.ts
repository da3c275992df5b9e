import { listOf, moneyOf } from "../http/schemas.ts";
import { kobo } from "../kernel/kobo.ts";
import { CSV_COLUMNS, CSV_HEAD, csvOf } from "./statement.csv.ts";
import type { StatementLine } from "./statement.schemas.ts";

const naira = (amount: number) => moneyOf(kobo(amount * 100));

const hold: StatementLine = {
  id: "trf_01kb3v9q4ze1xb8m6t2r5y7w0n",
  object: "wallet_transaction",
  kind: "hold",
  at: "2026-11-27T09:00:00.004Z",
  amount: naira(0),
  held_change: naira(4),
  order_id: "msg_01kb3v9q4ze1xb8m6t2r5y7w0n",
  balance_after: naira(1_000),
  held_after: naira(4),
  available_after: naira(996),
};

const charge: StatementLine = {
  ...hold,
  id: "trf_01kb3v9q4zg1xb8m6t2r5y7w0n",
  kind: "charge",
  at: "2026-11-27T09:00:00.412Z",
  amount: naira(-4),
  held_change: naira(-4),
  balance_after: naira(996),
  held_after: naira(0),
};

const credit: StatementLine = {
  id: "trf_01kb3v9q4ze1xb8m6t2r5y7w0m",
  object: "wallet_transaction",
  kind: "credit",
  at: "2026-11-27T08:00:00.000Z",
  amount: naira(1_000),
  held_change: naira(0),
  reason: "bank transfer of 27 November",
  balance_after: naira(1_000),
  held_after: naira(0),
  available_after: naira(1_000),
};

export const EXAMPLES = [
  { status: 200, summary: "A message that was charged", value: listOf([charge, hold, credit]) },
  { status: 200, summary: "As CSV", value: CSV_HEAD + csvOf(charge), mediaType: "text/csv" },
];

export const DESCRIPTION = `Every movement of the wallet, newest first, with the wallet after it. A line never changes once listed; a later change to a hold is a separate
line with its own id.

\`amount\` is a line's change to \`balance\`, so each \`balance_after\` is that of the previous line plus \`amount\`, and the amounts of all lines
add up to the balance. Money reserved for orders stays in \`balance\` until it is charged: \`held_change\` is a line's change to \`held\`.

| \`kind\` | \`amount\` | \`held_change\` | |
| --- | --- | --- | --- |
| \`hold\` | 0.00 | + | reserved for an order: \`available\` falls |
| \`charge\` | − | − | charged from the hold; the rest of it is \`available\` again |
| \`return\` | 0.00 | − | the whole hold is \`available\` again |
| \`refund\` | + | 0.00 | a charged price was given back |
| \`topup\` | + | 0.00 | a top-up: \`GET /wallet/topups/{id}\` has the same id |
| \`credit\`, \`debit\` | +, − | 0.00 | a correction by the operator, explained in \`reason\` |
| \`fee\` | − | 0.00 | a plan's fee |

With \`Accept: text/csv\` or \`?format=csv\` the whole statement is returned as CSV in one answer (\`limit\` then has no effect), with the columns
${CSV_COLUMNS.map((name) => `\`${name}\``).join(", ")}. Amounts are plain signed numbers; a text that a spreadsheet would read as a formula is prefixed with an apostrophe.
With a filter a page may have few lines or none although \`has_more\` is true: continue with \`next_cursor\`.`;
