import { encodeId } from "../kernel/ids.ts";
import { moneyOf, pricedAt } from "../kernel/money.ts";
import type { GroupSummary, OrderGroup } from "../orders/groups.repo.ts";
import { bulkReference } from "./bulk.service.ts";

/** What became of a bulk, as subscribers see it. */
export function bulkView(group: OrderGroup, summary: GroupSummary) {
  const reference = bulkReference(group);
  return {
    id: encodeId("blk", group.id),
    object: "bulk" as const,
    ...(reference !== undefined && { reference }),
    counts: { ...summary.counts },
    price: pricedAt(summary.priceKobo, summary.taxKobo),
    amounts: {
      held: moneyOf(summary.heldKobo),
      charged: moneyOf(summary.chargedKobo),
      returned: moneyOf(summary.returnedKobo),
    },
    created_at: group.createdAt.toISOString(),
    ...(group.endedAt && { completed_at: group.endedAt.toISOString() }),
  };
}
