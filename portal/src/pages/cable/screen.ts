import type { Models } from "../../api/client.ts";

interface Line {
  readonly name: string;
  readonly text: string;
}

/** What the television shows: whose card it is, then what was paid and until when, and a voucher where there is one. `paidCard`: as it is since. */
export function screenOf(
  card: Models["VerifiedSmartcard"] | undefined,
  order: Models["AnyOrder"] | undefined,
  paidCard: Models["VerifiedSmartcard"] | undefined,
): { readonly lines: readonly Line[]; readonly isPaid: boolean } {
  const purchase = order?.object === "cable" ? order : undefined;
  const isPaid = purchase?.status === "successful";
  const bouquet = (isPaid ? purchase.plan?.name : undefined) ?? card?.current_plan;
  const ends = (isPaid ? paidCard : card)?.due_date;
  const lines = [
    card && { name: "Customer", text: card.customer.name },
    bouquet && { name: "Bouquet", text: bouquet },
    ends && { name: "Ends", text: ends },
    ...(purchase?.tokens ?? []).map(({ kind, value }) => ({ name: kind, text: value })),
  ];
  return { lines: lines.filter((line) => typeof line === "object"), isPaid };
}
