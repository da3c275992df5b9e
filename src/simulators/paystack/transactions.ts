import { parseJson } from "../vendors/json.ts";
import { no, ok, type VendorCall } from "./answers.ts";
import type { Transaction } from "./bank.ts";
import { listed } from "./lists.ts";
import { transactionView } from "./views.ts";
import type { PaystackWorld, Reply } from "./world.ts";

/** Paystack allows no other characters in a reference of ours. */
const REFERENCE = /^[A-Za-z0-9.=-]+$/;
/** In kobo: ₦1. */
const AMOUNT_MIN = 100;

/** POST /transaction/initialize. Without a reference the vendor makes one. */
export function initialise(simulator: PaystackWorld, { body }: VendorCall): Reply {
  const { email, currency = "NGN" } = body;
  if (typeof email !== "string" || !email.includes("@"))
    return no(400, "Invalid Email Address Passed", "invalid_email_address");
  const amount = amountIn(body.amount);
  if (amount === undefined || amount < AMOUNT_MIN) return no(400, "Invalid Amount Sent", "invalid_amount");
  const { bank } = simulator;
  const reference = body.reference === undefined || body.reference === "" ? bank.newReference() : body.reference;
  if (typeof reference !== "string" || !REFERENCE.test(reference))
    return no(400, "Invalid transaction reference", "invalid_reference");
  const transaction = bank.initialise(reference, bank.customer(email), amount, String(currency), metadataIn(body));
  if (!transaction) return no(400, "Duplicate Transaction Reference", "duplicate_reference");
  return ok("Authorization URL created", {
    authorization_url: `http://127.0.0.1:${simulator.port}/checkout/${transaction.accessCode}`,
    access_code: transaction.accessCode,
    reference,
  });
}

/** Clients and forms write amounts as texts. Kobo have no fractions. */
function amountIn(amount: unknown): number | undefined {
  const text = typeof amount === "number" || typeof amount === "string" ? String(amount).trim() : "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** An object, or the text of one. */
const metadataIn = ({ metadata = "" }: VendorCall["body"]): unknown =>
  typeof metadata === "string" ? (parseJson(metadata) ?? metadata) : metadata;

/** What is read of transactions: one by reference or id, its timeline, all of them, their totals. */
export function readTransactions(
  simulator: PaystackWorld,
  call: VendorCall,
  [second, third]: readonly string[],
): Reply {
  const { bank, domain } = simulator;
  const all = [...bank.transactions.values()].reverse();
  const named = (name: string | undefined) =>
    all.find(({ id, reference }) => String(id) === name || reference === name);
  switch (second) {
    case undefined:
    case "":
      return listed(
        "Transactions retrieved",
        all.filter((one) => isWanted(one, call.query)).map((one) => transactionView(one, domain)),
        call.query,
      );
    case "verify": {
      const found = third === undefined ? undefined : bank.transactions.get(third);
      return found
        ? ok("Verification successful", transactionView(found, domain))
        : no(404, "Transaction reference not found.", "transaction_not_found");
    }
    case "totals":
      return ok("Transaction totals", totalsOf(all.filter((one) => isWanted(one, call.query))));
    case "timeline": {
      const found = named(third);
      return found
        ? ok("Timeline retrieved", timelineOf(found))
        : no(404, "Transaction not found", "transaction_not_found");
    }
    default: {
      const found = /^\d+$/.test(second) ? named(second) : undefined;
      return found
        ? ok("Transaction retrieved", transactionView(found, domain))
        : no(404, "Transaction not found", "transaction_not_found");
    }
  }
}

function isWanted(one: Transaction, query: URLSearchParams): boolean {
  const is = (name: string, value: unknown) => !query.get(name) || query.get(name) === String(value);
  const [from, to] = [Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? "")];
  const at = one.createdAt.getTime();
  return (
    is("status", one.status) &&
    is("customer", one.customer.id) &&
    is("amount", one.amount) &&
    is("reference", one.reference) &&
    !(at < from) &&
    !(at > to)
  );
}

function totalsOf(all: readonly Transaction[]) {
  const sum = (some: readonly Transaction[]) => some.reduce((total, { amount }) => total + amount, 0);
  const paid = all.filter(({ status }) => status === "success");
  const byCurrency = [{ currency: "NGN", amount: sum(paid) }];
  return {
    total_transactions: paid.length,
    total_volume: sum(paid),
    total_volume_by_currency: byCurrency,
    pending_transfers: 0,
    pending_transfers_by_currency: [{ currency: "NGN", amount: 0 }],
  };
}

const timelineOf = ({ status, channel, createdAt, paidAt }: Transaction) => {
  const seconds = paidAt ? Math.round((paidAt.getTime() - createdAt.getTime()) / 1_000) : 0;
  const paid = paidAt ? [{ type: "success", message: `Paid with ${channel}`, time: seconds }] : [];
  return {
    time_spent: seconds,
    attempts: paidAt ? 1 : 0,
    authentication: null,
    errors: 0,
    success: status === "success",
    mobile: false,
    input: [],
    channel,
    history: [{ type: "action", message: "Opened the page", time: 0 }, ...paid],
  };
};
