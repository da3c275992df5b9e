import Type, { type TSchema } from "typebox";
import { CHARGES, type Charge as ChargeWord } from "../kernel/charge.ts";
import type { IdPrefix } from "../kernel/ids.ts";
import { REFERENCE_CHARACTERS_MAX } from "../kernel/reference.ts";

/** A closed object: what every request body is made of. An unknown field is an error that names it. */
export const closed = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: { readonly description?: string; readonly title?: string; readonly examples?: readonly unknown[] } = {},
) => Type.Object(properties, { ...options, additionalProperties: false });

/** What `encodeId` makes, as a regular expression. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;

const EXAMPLE_ID = "01kb3v9q4ze1xb8m6t2r5y7w0n";

export const Id = (prefix: IdPrefix) =>
  Type.String({
    pattern: idPattern(prefix),
    description: `\`${prefix}_\` and 26 lower-case characters`,
    examples: [`${prefix}_${EXAMPLE_ID}`],
  });

/** An id in a path. Any text is taken: what is no id names nothing, which is a 404 and no fault of form. */
export const IdParameter = (prefix: IdPrefix, description: string) =>
  Type.String({ maxLength: 100, description, examples: [`${prefix}_${EXAMPLE_ID}`] });

export const Naira = Type.String({ pattern: "^-?\\d+\\.\\d{2}$", description: "naira with two decimal places" });

/** `{"amount": "1500.00", "currency": "NGN"}` */
export const Money = Type.Object({ amount: Naira, currency: Type.Literal("NGN") }, { title: "Money" });

/** Money with the VAT that it contains. */
export const Price = Type.Object(
  {
    amount: Naira,
    currency: Type.Literal("NGN"),
    tax: { ...Naira, description: "VAT contained in `amount`, not added to it." },
  },
  { title: "Price" },
);

export type Money = Type.Static<typeof Money>;
export type Price = Type.Static<typeof Price>;

export { moneyOf, pricedAt, priceOf } from "../kernel/money.ts";

/** What became of an order's `price`. Only purchases are ever refunded. */
export const Charge = Type.Unsafe<ChargeWord>({
  type: "string",
  enum: [...CHARGES],
  description:
    "What became of `price`: `held` until it is decided; then `charged`, or `returned` when the order ended without a charge. `refunded`: it was charged, and given back later.",
});

export const Reference = Type.String({
  minLength: 1,
  maxLength: REFERENCE_CHARACTERS_MAX,
  description: "Your own id for the order, unique in your account and mode.",
});

const METADATA_FIELDS_MAX = 10;
/** Of the names in `metadata`: unbounded names would be copied into each message of a bulk. */
export const FIELD_NAME_MAX = 40;

export const Metadata = Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
  maxProperties: METADATA_FIELDS_MAX,
  propertyNames: { minLength: 1, maxLength: FIELD_NAME_MAX },
  description: `Up to 10 strings of yours (names up to ${FIELD_NAME_MAX} characters), echoed in answers, events and exports.`,
  examples: [{ till: "7" }],
});

/** RFC 3339. Comes in with any zone, goes out in UTC with milliseconds. */
export const Timestamp = Type.String({ format: "date-time", examples: ["2026-11-27T09:00:00.000Z"] });

const LIST_LIMIT_MAX = 100;
export const LIST_LIMIT_DEFAULT = 25;

/** The paging parameters of every list: spread them into the query's properties. */
export const paging = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIST_LIMIT_MAX,
      description: `How many to return; ${LIST_LIMIT_DEFAULT} unless told.`,
    }),
  ),
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "`next_cursor` of the page before." })),
};

/** The envelope of every list. `more`: what a list has besides, e.g. `as_of` of a copy of a vendor's. */
export const ListOf = <Item extends TSchema, More extends Record<string, TSchema> = Record<never, TSchema>>(
  item: Item,
  more?: More,
) =>
  Type.Object({
    object: Type.Literal("list"),
    data: Type.Array(item),
    has_more: Type.Boolean(),
    next_cursor: Type.Optional(Type.String({ description: "There only when `has_more` is true." })),
    ...(more as More),
  });

/** A page of a list; without a cursor it is the last one. */
export const listOf = <Item>(data: Item[], nextCursor?: string) => ({
  object: "list" as const,
  data,
  has_more: nextCursor !== undefined,
  ...(nextCursor !== undefined && { next_cursor: nextCursor }),
});
