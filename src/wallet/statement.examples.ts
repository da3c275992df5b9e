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

export const DESCRIPTION = `Every movement of the wallet, newest first, with the wallet after it. A line that was once listed never changes; what happens later to a hold is a line
of its own, with an id of its own.

\`amount\` is what a line does to \`balance\`, so each \`balance_after\` is the one of the line before it plus \`amount\`, and the amounts of all lines
add up to the balance. What orders under way set aside stays in \`balance\` until it is charged: \`held_change\` says what a line does to \`held\`, in the same way.

| \`kind\` | \`amount\` | \`held_change\` | |
| --- | --- | --- | --- |
| \`hold\` | 0.00 | + | set aside for an order: \`available\` falls |
| \`charge\` | − | − | charged of the hold; what is left of it is \`available\` again |
| \`return\` | 0.00 | − | the whole hold is \`available\` again |
| \`refund\` | + | 0.00 | a price that had been charged came back |
| \`topup\` | + | 0.00 | money that you put in: \`GET /wallet/topups/{id}\` has the same id |
| \`credit\`, \`debit\` | +, − | 0.00 | a correction by the operator; \`reason\` says which |
| \`fee\` | − | 0.00 | of a plan |

With \`Accept: text/csv\` or \`?format=csv\` the whole of it comes as CSV, all pages in one answer (\`limit\` is then without effect), with the columns
${CSV_COLUMNS.map((name) => `\`${name}\``).join(", ")}. Amounts are plain numbers with their sign; a text that a spreadsheet would take for a formula has an apostrophe before it.
With a filter a page may have few lines or none although \`has_more\` is true: go on with \`next_cursor\`.`;
