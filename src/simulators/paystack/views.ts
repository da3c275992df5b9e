import type { Customer, Transaction } from "./bank.ts";

/** Bodies as Paystack writes them, with its odd spellings. */

export const envelope = (message: string, data: unknown) => ({ status: true, message, data });
export const refused = (message: string, code: string) => ({ status: false, message, type: "validation_error", code });

export const customerView = (customer: Customer) => ({
  id: customer.id,
  first_name: customer.firstName,
  last_name: customer.lastName,
  email: customer.email,
  customer_code: customer.code,
  phone: customer.phone,
  metadata: null,
  risk_action: "default",
});

/** The banks at which account numbers are opened. */
export const BANKS = [
  {
    provider_slug: "test-bank",
    bank_id: 24,
    bank_name: "Test Bank",
    id: 24,
    name: "Test Bank",
    slug: "test-bank",
    code: "057",
  },
];

export const accountView = (customer: Customer) => ({
  bank: { name: "Test Bank", id: 24, slug: "test-bank" },
  account_name: `AFARA / ${customer.firstName.toUpperCase()}`,
  account_number: customer.accountNumber,
  assigned: true,
  currency: "NGN",
  metadata: null,
  active: true,
  id: customer.id + 500_000,
  assignment: { integration: 100_001, assignee_id: customer.id, assignee_type: "Customer", expired: false },
});

/** `metadata` is "" where there is none, and times stand there twice. */
export const transactionView = (transaction: Transaction, domain: string) => ({
  id: transaction.id,
  domain,
  status: transaction.status,
  reference: transaction.reference,
  amount: transaction.amount,
  requested_amount: transaction.requestedAmount,
  currency: transaction.currency,
  fees: transaction.fees,
  channel: transaction.channel,
  message: null,
  gateway_response: transaction.status === "success" ? "Successful" : "The transaction was not completed",
  paid_at: transaction.paidAt?.toISOString() ?? null,
  paidAt: transaction.paidAt?.toISOString() ?? null,
  created_at: transaction.createdAt.toISOString(),
  createdAt: transaction.createdAt.toISOString(),
  ip_address: "127.0.0.1",
  metadata: transaction.metadata,
  log: null,
  authorization:
    transaction.channel === "dedicated_nuban"
      ? {
          channel: "dedicated_nuban",
          card_type: "transfer",
          sender_bank: "Test Bank",
          sender_bank_account_number: "XXXXXX0000",
          sender_name: "TEST SENDER",
          receiver_bank_account_number: transaction.customer.accountNumber,
          receiver_bank: "Test Bank",
        }
      : { channel: "card", card_type: "visa ", bank: "TEST BANK", last4: "4081" },
  customer: customerView(transaction.customer),
  fees_split: null,
  order_id: null,
});
