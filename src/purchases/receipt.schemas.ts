import Type, { type TObject } from "typebox";
import { Id, Mode, Money, oneOf, Price, Timestamp } from "../http/schemas.ts";

const Seller = Type.Object(
  {
    name: Type.String(),
    address: Type.Optional(Type.String()),
    tin: Type.Optional(Type.String({ description: "Tax identification number." })),
    phone: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
  },
  { title: "Seller", description: "Who sold it; absent where the operator has set no seller." },
);

/** What every receipt says before what was bought: spread it into a schema's properties. */
export const receiptHead = <const Products extends readonly string[]>(products: Products) => ({
  object: Type.Literal("receipt"),
  product: oneOf(products),
  receipt_number: { ...Id("pur"), description: "Of this receipt: the purchase's `id`." },
  mode: Mode,
  issued_at: Timestamp,
  seller: Type.Optional(Seller),
});

/** What every receipt says after it: `amount` − `discount` + `fee` = `total`. */
export const receiptSums = (what: string) => ({
  amount: { ...Money, description: what },
  delivered_amount: Type.Optional({
    ...Money,
    description: "What was delivered, where charges were taken from `amount`.",
  }),
  discount: { ...Money, description: "What `total` is less than `amount`." },
  fee: { ...Price, description: "For the service, with the VAT in it (`tax`)." },
  total: { ...Price, description: "The purchase's `price`: what was paid, with all the VAT in it (`tax`)." },
  vendor_receipt_number: Type.Optional(Type.String({ description: "The vendor's own, as its receipt shows it." })),
  reference: Type.Optional(Type.String()),
});

/** A receipt's answer in its three forms. Not JSON: the page, and the bytes of the PDF. */
export const receiptContent = <Receipt extends TObject>(receipt: Receipt) => ({
  content: {
    "application/json": { schema: receipt },
    "text/html": { schema: Type.String() },
    "application/pdf": { schema: Type.Unsafe<Buffer>({ type: "string", format: "binary" }) },
  },
});

export const RECEIPT_ERRORS = ["not_found", "not_acceptable", "invalid_state", "overloaded"] as const;
