import type { StatementFormat } from "../../ports/provider.ts";

/** The fields of the vendor's receipts. Source: docs/providers/buypower.md. */
export const STATEMENT: StatementFormat = {
  columns: {
    reference: ["orderId", "order id"],
    id: ["id", "vendRef", "vend ref"],
    amount: ["vendAmount", "vend amount", "amount"],
    cost: ["totalAmountPaid", "total amount paid", "amount paid"],
    status: ["status", "responseMessage"],
    at: ["vendTime", "vend time", "date"],
  },
  statuses: {
    successful: "delivered",
    success: "delivered",
    "payment successful": "delivered",
    pending: "pending",
    "in progress": "pending",
    failed: "failed",
    "transaction failed": "failed",
    reversed: "reversed",
    refunded: "reversed",
  },
  timeZone: "Africa/Lagos",
};
