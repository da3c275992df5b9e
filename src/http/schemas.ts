import Type, { type TObject, type TProperties, type TSchema } from "typebox";
import { CHARGES, type Charge as ChargeWord } from "../kernel/charge.ts";
import { FAILURES } from "../kernel/failures.ts";
import type { IdPrefix } from "../kernel/ids.ts";
import { NETWORKS } from "../kernel/networks.ts";
import { REFERENCE_CHARACTERS_MAX } from "../kernel/reference.ts";
import { invariant } from "../kernel/result.ts";
import { EXTENDS } from "./openapi-models.ts";

/** A closed object: what every request body is made of. An unknown field is an error that names it. */
export const closed = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  options: { readonly description?: string; readonly title?: string; readonly examples?: readonly unknown[] } = {},
) => Type.Object(properties, { ...options, additionalProperties: false });

/** One of these words. An `enum`, because its faults name the allowed values better than those of a union do. */
export const oneOf = <const Values extends readonly string[]>(values: Values, description?: string) =>
  Type.Unsafe<Values[number]>({ type: "string", enum: [...values], ...(description && { description }) });

/** The schema as a model of this name in the OpenAPI document, where it then stands once. */
export const named = <Schema extends TSchema>(title: string, schema: Schema): Schema => ({ ...schema, title });

/** A model with all properties of another and more. In the OpenAPI document it refers to that other. */
export const extending = <Base extends TProperties, More extends TProperties>(
  title: string,
  base: TObject<Base>,
  more: More,
) => Type.Object({ ...base.properties, ...more }, { title, [EXTENDS]: base });

/** What `encodeId` makes, as a regular expression. */
export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;

const EXAMPLE_ID = "01kb3v9q4ze1xb8m6t2r5y7w0n";

const ID_NAMES: Readonly<Record<IdPrefix, string>> = {
  msg: "MessageId",
  pur: "PurchaseId",
  blk: "BulkId",
  evt: "EventId",
  key: "KeyId",
  acc: "AccountId",
  whe: "WebhookId",
  wha: "WebhookAttemptId",
  trf: "TransferId",
  req: "RequestId",
  cas: "CaseId",
  ver: "VerificationId",
  med: "MediaId",
  ins: "InstallationId",
  usr: "PersonId",
  inv: "InvitationId",
  ses: "SessionId",
  psk: "PasskeyId",
  vew: "ViewId",
};

export const Id = (prefix: IdPrefix) =>
  Type.String({
    title: ID_NAMES[prefix],
    pattern: idPattern(prefix),
    description: `\`${prefix}_\` and 26 lower-case characters`,
    examples: [`${prefix}_${EXAMPLE_ID}`],
  });

/** An id in a path. Any text is taken: what is no id names nothing, which is a 404 and no fault of form. */
export const IdParameter = (prefix: IdPrefix, description: string) =>
  Type.String({ maxLength: 100, description, examples: [`${prefix}_${EXAMPLE_ID}`] });

/** An id that a list is filtered by. A text that can't be one is a fault: the empty list would say that there is nothing. */
export const IdFilter = (prefixes: readonly IdPrefix[], description: string) => {
  const [one, ...others] = prefixes;
  invariant(one, "an id has a prefix");
  const pattern = idPattern(one).replace(one, others.length === 0 ? one : `(?:${prefixes.join("|")})`);
  return Type.Optional(Type.String({ pattern, description, examples: [`${one}_${EXAMPLE_ID}`] }));
};

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
  title: "Charge",
  type: "string",
  enum: [...CHARGES],
  description:
    "How `price` was settled: `held` until the outcome is known; then `charged`, or `returned` when the order ended without a charge. `refunded`: charged, and given back later.",
});

export const Reference = Type.String({
  title: "Reference",
  minLength: 1,
  maxLength: REFERENCE_CHARACTERS_MAX,
  description: "Your own id for the order, unique in your account and mode.",
});

const METADATA_FIELDS_MAX = 10;
/** Of the names in `metadata`: unbounded names would be copied into each message of a bulk. */
export const FIELD_NAME_MAX = 40;

export const Metadata = Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
  title: "Metadata",
  maxProperties: METADATA_FIELDS_MAX,
  propertyNames: { minLength: 1, maxLength: FIELD_NAME_MAX },
  description: `Up to 10 strings of your own (names up to ${FIELD_NAME_MAX} characters), returned in answers, events and exports.`,
  examples: [{ till: "7" }],
});

/** RFC 3339. Comes in with any zone, goes out in UTC with milliseconds. */
export const Timestamp = Type.String({
  title: "Timestamp",
  format: "date-time",
  examples: ["2026-11-27T09:00:00.000Z"],
});

export const Mode = named("Mode", oneOf(["live", "test"]));

export const Network = named("Network", oneOf(NETWORKS));

export const Direction = named("Direction", oneOf(["outbound", "inbound"]));

/** What the words of a person were taken for. */
export const UnderstoodAs = named(
  "UnderstoodAs",
  oneOf(["stop", "start"], "It was recognised as an opt-out, or as the end of one: see `GET /sms/suppressions`."),
);

/** Why an order did not end well. */
export const Failure = Type.Object(
  {
    code: Type.Unsafe<string>({ type: "string", enum: Object.keys(FAILURES), title: "FailureCode" }),
    detail: Type.String({ description: "A sentence for people; the vendor's own words are in brackets." }),
  },
  { title: "Failure", description: "Why it failed: see /docs/errors/failures." },
);

export const TimelineEntry = Type.Object(
  { status: Type.String(), at: Timestamp, detail: Type.Optional(Type.String()) },
  { title: "TimelineEntry" },
);

const LIST_LIMIT_MAX = 100;
export const LIST_LIMIT_DEFAULT = 25;

/** The paging parameters of every list: spread them into the query's properties. */
export const paging = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIST_LIMIT_MAX,
      description: `The page size (default ${LIST_LIMIT_DEFAULT}).`,
    }),
  ),
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "`next_cursor` of the page before." })),
};

/** The envelope of every list, as a model named after its items. `more`: what a list has besides, e.g. `as_of` of a copy of a vendor's. */
export const ListOf = <Item extends TSchema, More extends Record<string, TSchema> = Record<never, TSchema>>(
  item: Item,
  more?: More,
) =>
  Type.Object(
    {
      object: Type.Literal("list"),
      data: Type.Array(item),
      has_more: Type.Boolean(),
      next_cursor: Type.Optional(Type.String({ description: "Present only when `has_more` is true." })),
      ...(more as More),
    },
    { title: `${titleOf(item)}List` },
  );

function titleOf(schema: TSchema): string {
  invariant("title" in schema && typeof schema.title === "string", "the items of a list have a name");
  return schema.title;
}

/** A page of a list; without a cursor it is the last one. */
export const listOf = <Item>(data: Item[], nextCursor?: string) => ({
  object: "list" as const,
  data,
  has_more: nextCursor !== undefined,
  ...(nextCursor !== undefined && { next_cursor: nextCursor }),
});
