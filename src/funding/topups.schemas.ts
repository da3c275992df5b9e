import Type from "typebox";
import { Amount } from "../http/amount.ts";
import { closed, Id, ListOf, Mode, Money, moneyOf, named, oneOf, paging, Timestamp } from "../http/schemas.ts";
import { encodeId } from "../kernel/ids.ts";
import { amountDiffers, type Topup } from "./topup.ts";

const Method = named(
  "TopupMethod",
  oneOf(
    ["link", "bank_transfer"],
    "`link`: a payment page, for cards and other ways to pay. `bank_transfer`: your own account number.",
  ),
);
const Status = named(
  "TopupStatus",
  oneOf(
    ["pending", "successful", "expired"],
    "`expired`: not paid in time. If it is paid later, it becomes `successful`.",
  ),
);

export const TopupBody = closed({ amount: Amount, method: Method });

const BankAccount = Type.Object(
  { bank: Type.String(), account_number: Type.String(), account_name: Type.String() },
  { title: "BankAccount" },
);

export const TopupView = Type.Object(
  {
    id: Id("trf"),
    object: Type.Literal("topup"),
    mode: Mode,
    status: Status,
    method: Method,
    amount: Type.Optional({ ...Money, description: "The requested amount; absent for an unannounced transfer." }),
    paid: Type.Optional({ ...Money, description: "The amount received and credited to the wallet." }),
    amount_differs: Type.Optional(
      Type.Boolean({ description: "True when the amount paid differs from the amount requested." }),
    ),
    payment_url: Type.Optional(Type.String({ description: "The payment page." })),
    bank_account: Type.Optional(BankAccount),
    expires_at: Type.Optional(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
    completed_at: Type.Optional(Timestamp),
  },
  { title: "Topup" },
);
export const TopupList = ListOf(TopupView);
export const TopupQuery = closed({ status: Type.Optional(Status), ...paging });

export function topupView(topup: Topup): Type.Static<typeof TopupView> {
  const { requestedKobo, paidKobo, state, expiresAt, completedAt } = topup;
  const { url, bank, accountNumber, accountName } = topup.instructions;
  return {
    id: encodeId("trf", topup.id),
    object: "topup",
    mode: topup.mode,
    status: state,
    method: topup.method,
    ...(requestedKobo !== null && { amount: moneyOf(requestedKobo) }),
    ...(paidKobo !== null && { paid: moneyOf(paidKobo) }),
    ...(amountDiffers(topup) && { amount_differs: true }),
    ...(url !== undefined && { payment_url: url }),
    ...(bank !== undefined &&
      accountNumber !== undefined && {
        bank_account: { bank, account_number: accountNumber, account_name: accountName ?? "" },
      }),
    ...(expiresAt && state !== "successful" && { expires_at: expiresAt.toISOString() }),
    created_at: topup.createdAt.toISOString(),
    updated_at: topup.updatedAt.toISOString(),
    ...(completedAt && { completed_at: completedAt.toISOString() }),
  };
}
