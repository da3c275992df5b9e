import Type, { type TObject, type TSchema } from "typebox";
import { Id, Mode, Money, Price, Timestamp } from "../http/schemas.ts";

const Seller = Type.Object(
  {
    name: Type.String(),
    address: Type.Optional(Type.String()),
    tin: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
  },
  { title: "Seller" },
);

/** What every receipt says; a service's own extends it. `amount` − `discount` + `fee` = `total`. */
export const receiptBasics = (Product: TSchema): TObject =>
  Type.Object(
    {
      object: Type.Literal("receipt"),
      product: Product,
      receipt_number: { ...Id("pur"), description: "The receipt's id, which is the purchase's `id`." },
      mode: Mode,
      issued_at: Timestamp,
      seller: Type.Optional(Seller),
      amount: Money,
      delivered_amount: Type.Optional({
        ...Money,
        description: "The value delivered, where charges were deducted from `amount`.",
      }),
      discount: Money,
      fee: { ...Price, description: "For the service." },
      total: { ...Price, description: "The purchase's `price`." },
      vendor_receipt_number: Type.Optional(Type.String({ description: "The vendor's receipt number." })),
      reference: Type.Optional(Type.String()),
    },
    { title: "ReceiptBasics" },
  );

/** A receipt's answer in its three forms. Not JSON: the page, and the bytes of the PDF. */
export const receiptContent = <Receipt extends TObject>(receipt: Receipt) => ({
  content: {
    "application/json": { schema: receipt },
    "text/html": { schema: Type.String() },
    "application/pdf": { schema: Type.Unsafe<Buffer>({ type: "string", format: "binary" }) },
  },
});

export const RECEIPT_ERRORS = ["not_found", "not_acceptable", "invalid_state", "overloaded"] as const;
