import { isDeepStrictEqual } from "node:util";
import Type, { type TObject, type TProperties, type TSchema } from "typebox";
import {
  Charge,
  Failure,
  Id,
  ListOf,
  Mode,
  Money,
  named,
  oneOf,
  Price,
  TimelineEntry,
  Timestamp,
} from "../http/schemas.ts";
import type { ProductLine, ProductSchemas } from "./product-line.ts";
import { Channel, PurchaseStatus } from "./purchase.schemas.ts";
import { receiptBasics } from "./receipt.schemas.ts";

/**
 * The answers about purchases, made from the lines of all services: one `Purchase` for all of them, with the members of each. What a
 * model does not have, no answer shows.
 */
export interface PurchaseModels {
  readonly Purchase: TObject;
  readonly PurchaseList: TObject;
  /** The answer to `validate_only`: its own object under a status of its own, 200, which no purchase is answered with. */
  readonly PurchaseCheck: TObject;
  readonly Token: TObject;
  /** What every receipt says; a service's own extends it. `amount` − `discount` + `fee` = `total`. */
  readonly ReceiptBasics: TObject;
}

/** What the models take from a line. */
export type Documented = Pick<ProductLine, "products" | "tokens" | "schemas">;

/** A plan that was bought: subscribers' id of it, and its name. */
export const BoughtPlan = Type.Object({ plan_id: Type.String(), name: Type.String() }, { title: "BoughtPlan" });

/** `lines`: of all services that sell by purchase. */
export function purchaseModels(lines: readonly Documented[]): PurchaseModels {
  const Product = named("Product", oneOf(lines.flatMap(({ products }) => Object.keys(products))));
  const Token = tokenModel(lines);
  const bought = { to: Type.String(), ...membersOf(lines, "subject"), ...chargesOf(lines) };
  const Purchase = Type.Object(
    {
      id: Id("pur"),
      object: Product,
      mode: Mode,
      status: Status,
      ...bought,
      delivered_amount: DeliveredAmount,
      charge: Charge,
      token_pending: TokenPending,
      tokens: Type.Optional(
        Type.Array(Token, {
          description: `${textsOf(lines, "useText")} A \`reversed\` purchase no longer shows them: its price was refunded.`,
        }),
      ),
      ...membersOf(lines, "delivered"),
      ...OUTCOME,
    },
    { title: "Purchase" },
  );
  const PurchaseCheck = Type.Object(
    {
      object: Type.Literal("purchase_check", {
        description: "Nothing was bought: this is the answer to `validate_only`.",
      }),
      product: { ...Product, description: "The `object` of the purchase that would be made." },
      valid: Type.Literal(true),
      ...bought,
      ...membersOf(lines, "quoted"),
    },
    { title: "PurchaseCheck" },
  );
  return { Purchase, PurchaseList: ListOf(Purchase), PurchaseCheck, Token, ReceiptBasics: receiptBasics(Product) };
}

const Status = {
  ...PurchaseStatus,
  description:
    "`processing`: the vendor is queried until the outcome is certain, and the money stays held. `reversed`: the vendor reversed it, and the price was refunded.",
};

const DeliveredAmount = Type.Optional({
  ...Money,
  description:
    "The value delivered according to the vendor, where it is less than `amount` because of an operator's fee or an exchange rate. `price` is unchanged.",
});

const TokenPending = Type.Optional(
  Type.Boolean({ description: "Delivered according to the vendor, but the token has not arrived yet." }),
);

/** What became of telling the customer. A message that could not be sent has the refusal's code. */
const Notice = Type.Object(
  {
    channel: Channel,
    status: Type.String({
      description:
        "The message's status; `pending` before the message exists, `refused` when it could not be made, `none` when there is nothing to notify.",
    }),
    message_id: Type.Optional(Id("msg")),
    price: Type.Optional(Price),
    failure: Type.Optional(
      Type.Object({ code: Type.String(), detail: Type.String() }, { description: "Why there is no message." }),
    ),
  },
  { title: "Notice" },
);

/** What became of any purchase. */
const OUTCOME = {
  vendor_receipt_number: Type.Optional(Type.String({ description: "The vendor's receipt number." })),
  failure: Type.Optional(Failure),
  provider_reference: Type.Optional(Type.String({ description: "The vendor's reference, for its support." })),
  notify: Type.Optional(Notice),
  reference: Type.Optional(Type.String()),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  timeline: Type.Optional(
    Type.Array(TimelineEntry, {
      description: "Everything that happened, in order. Absent in lists and in the answer to the purchase itself.",
    }),
  ),
  next_check_at: Type.Optional({
    ...Timestamp,
    description: "The time of the next check, while it is `processing`.",
  }),
  created_at: Timestamp,
  completed_at: Type.Optional(Timestamp),
};

const tokenModel = (lines: readonly Documented[]): TObject =>
  Type.Object(
    {
      kind: oneOf([...new Set(lines.flatMap(({ tokens }) => tokens?.kinds ?? []))]),
      value: Type.String({
        description: `${textsOf(lines, "valueText")} Masked for keys without the scope \`vend\`.`,
      }),
      ...joined(lines.map(({ tokens }) => tokens?.members)),
    },
    { title: "Token" },
  );

function chargesOf(lines: readonly Documented[]): TProperties {
  const untaxed = lines.flatMap(({ schemas }) => schemas.untaxed ?? []);
  return {
    amount: { ...Money, description: "The value that the customer receives." },
    price: {
      ...Price,
      description: `The amount taken from the wallet. ${["`tax` is the VAT in it", ...untaxed].join("; ")}.`,
    },
    discount: { ...Money, description: "`amount` minus `price`." },
    fee: Type.Optional({ ...Money, description: "`price` minus `amount`." }),
  };
}

const textsOf = (lines: readonly Documented[], text: "valueText" | "useText"): string =>
  [...new Set(lines.flatMap(({ tokens }) => tokens?.[text] ?? []))].join(" ");

const membersOf = (lines: readonly Documented[], part: Exclude<keyof ProductSchemas, "untaxed">): TProperties =>
  joined(lines.map(({ schemas }) => schemas[part]));

/** The members of all, each optional. What two lines describe differently under one name is either of the two. */
function joined(parts: readonly (TProperties | undefined)[]): TProperties {
  const all = parts.flatMap((part) => Object.entries(part ?? {}));
  return Object.fromEntries(
    [...Map.groupBy(all, ([name]) => name)].map(([name, members]) => [name, Type.Optional(eitherOf(members))]),
  );
}

function eitherOf(members: readonly (readonly [name: string, schema: TSchema])[]): TSchema {
  const schemas = members.map(([, schema]) => schema);
  const [first, ...others] = schemas.filter(
    (schema, index) => schemas.findIndex((one) => isDeepStrictEqual(one, schema)) === index,
  );
  return others.length === 0 ? first! : Type.Union([first!, ...others]);
}
