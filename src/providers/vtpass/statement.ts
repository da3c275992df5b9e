import type { StatementFormat } from "../../ports/provider.ts";

/** The fields of the vendor's answers and of its list of transactions. Source: docs/providers/vtpass.md. */
export const STATEMENT: StatementFormat = {
  columns: {
    reference: ["requestId", "request id"],
    id: ["transactionId", "transaction id"],
    amount: ["amount", "unit price"],
    cost: ["total_amount", "total amount", "amount charged"],
    status: ["status"],
    at: ["transaction_date", "date", "created at"],
  },
  statuses: {
    initiated: "pending",
    pending: "pending",
    delivered: "delivered",
    successful: "delivered",
    failed: "failed",
    reversed: "reversed",
  },
  timeZone: "Africa/Lagos",
};
