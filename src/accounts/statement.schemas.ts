import type { Readable } from "node:stream";
import Type from "typebox";
import { closed, idPattern, ListOf, paging, Timestamp } from "../http/schemas.ts";
import { CSV_HEAD, csvOf } from "./statement.csv.ts";
import { LINE_KINDS, type LineKind } from "./statement.ts";

const Naira = Type.String({ pattern: "^-?\\d+\\.\\d{2}$" });

const Kind = Type.Unsafe<LineKind>({ type: "string", enum: LINE_KINDS });

export const StatementLine = Type.Object(
  {
    id: Type.String({
      pattern: idPattern("trf"),
      description: "Of the transfer. A hold and its charge or return have one id; with `kind` it names the line.",
    }),
    kind: Kind,
    at: Timestamp,
    amount: { ...Naira, description: "Never negative: `kind` says which way it went." },
    currency: Type.Literal("NGN"),
    order_id: Type.Optional(Type.String({ description: "The message or purchase that it is about." })),
    bulk_id: Type.Optional(Type.String({ description: "The bulk that the message belongs to." })),
    reason: Type.Optional(Type.String()),
    balance_after: { ...Naira, description: "The wallet's `balance` after this line." },
    held_after: Naira,
    available_after: Naira,
  },
  { title: "StatementLine" },
);

export const Statement = ListOf(StatementLine);

/** The same as a stream of text. */
export const StatementCsv = Type.Unsafe<Readable>({ type: "string" });

export const StatementQuery = closed({
  ...paging,
  kind: Type.Optional(Kind),
  order: Type.Optional(Type.String({ maxLength: 100, description: "`id` of a message or purchase." })),
  created_after: Type.Optional(Timestamp),
  created_before: Type.Optional(Timestamp),
  format: Type.Optional(Type.Union([Type.Literal("json"), Type.Literal("csv")])),
});

const line = {
  id: "trf_01kb3v9q4ze1xb8m6t2r5y7w0n",
  kind: "charge",
  at: "2026-11-27T09:00:00.412Z",
  amount: "4.00",
  currency: "NGN",
  order_id: "msg_01kb3v9q4ze1xb8m6t2r5y7w0n",
  balance_after: "996.00",
  held_after: "0.00",
  available_after: "996.00",
} as const;

export const EXAMPLES = [
  {
    status: 200,
    summary: "A message that was paid",
    value: {
      data: [
        line,
        { ...line, kind: "hold", at: "2026-11-27T09:00:00.004Z", balance_after: "1000.00", held_after: "4.00" },
        {
          ...line,
          id: "trf_01kb3v9q4ze1xb8m6t2r5y7w0m",
          kind: "credit",
          at: "2026-11-27T08:00:00.000Z",
          amount: "1000.00",
          order_id: undefined,
          reason: "bank transfer of 27 November",
          balance_after: "1000.00",
          available_after: "1000.00",
        },
      ],
      has_more: false,
    },
  },
  { status: 200, summary: "As CSV", value: CSV_HEAD + csvOf(line), mediaType: "text/csv" },
];

export const DESCRIPTION = `Every movement of the wallet, newest first, with the wallet after it. A line that was once listed never changes; what happens later to a hold is a line of its own.

| \`kind\` | |
| --- | --- |
| \`hold\` | set aside for an order: \`held\` rises, \`available\` falls |
| \`charge\` | taken of a hold: \`balance\` and \`held\` fall |
| \`return\` | the hold went back: \`held\` falls, \`available\` rises |
| \`refund\` | a price that had been taken came back |
| \`credit\`, \`debit\` | a top-up, or a correction by the operator; \`reason\` says which |
| \`fee\` | of a plan |

With \`Accept: text/csv\` or \`?format=csv\` the whole of it comes as CSV, all pages in one answer (\`limit\` is then without effect). With a filter a page may have few lines or none although \`has_more\` is true: go on with \`next_cursor\`.`;
