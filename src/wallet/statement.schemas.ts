import type { Readable } from "node:stream";
import Type from "typebox";
import { closed, IdFilter, idPattern, ListOf, Money, paging, Timestamp } from "../http/schemas.ts";
import { LINE_KINDS, type LineKind } from "./statement.ts";

const Kind = Type.Unsafe<LineKind>({ title: "StatementKind", type: "string", enum: LINE_KINDS });

export const StatementLine = Type.Object(
  {
    id: Type.String({
      pattern: idPattern("trf"),
      description: "Unique to this line. A top-up's line has the top-up's id.",
    }),
    object: Type.Literal("wallet_transaction"),
    kind: Kind,
    at: Timestamp,
    amount: {
      ...Money,
      description:
        "The change to `balance`: negative for money taken, and `0.00` for a hold, which only reserves money.",
    },
    held_change: { ...Money, description: "The change to `held`." },
    order_id: Type.Optional(Type.String({ description: "The message or purchase concerned." })),
    bulk_id: Type.Optional(Type.String({ description: "The bulk that the message belongs to." })),
    reason: Type.Optional(Type.String()),
    balance_after: { ...Money, description: "The wallet's `balance` after this line." },
    held_after: { ...Money, description: "Its `held`." },
    available_after: {
      ...Money,
      description: "The wallet's `available` after this line: `balance_after` minus `held_after`.",
    },
  },
  { title: "StatementLine" },
);
export type StatementLine = Type.Static<typeof StatementLine>;

export const Statement = ListOf(StatementLine);

/** The same as a stream of text. */
export const StatementCsv = Type.Unsafe<Readable>({ type: "string" });

export const StatementQuery = closed({
  ...paging,
  kind: Type.Optional(Kind),
  order: IdFilter(["msg", "pur"], "`id` of a message or purchase: `msg_` or `pur_` and 26 characters."),
  created_after: Type.Optional(Timestamp),
  created_before: Type.Optional(Timestamp),
  format: Type.Optional(
    Type.Union([Type.Literal("json"), Type.Literal("csv")], { description: "Takes precedence over `Accept`." }),
  ),
});
