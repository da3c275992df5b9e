import type { StatementFormat } from "../../ports/provider.ts";

/** The fields of the vendor's report of transactions; its dates have no zone and are New York's. Source: docs/providers/reloadly.md. */
export const STATEMENT: StatementFormat = {
  columns: {
    reference: ["customIdentifier", "custom identifier"],
    id: ["transactionId", "transaction id"],
    amount: ["requestedAmount", "requested amount", "amount"],
    cost: ["balanceInfo.cost", "cost", "total cost"],
    status: ["status"],
    at: ["transactionDate", "transaction date", "date"],
  },
  statuses: { successful: "delivered", processing: "pending", failed: "failed", refunded: "reversed" },
  timeZone: "America/New_York",
};
