import { naira } from "../vendors/field.ts";
import type { VendState } from "../vendors/scenarios.ts";
import type { Vend } from "../vendors/store.repo.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { commissionOf, serviceOf } from "./catalogue.ts";
import { type Code, DESCRIPTIONS } from "./codes.ts";
import { costKobo, detailsOf } from "./details.ts";
import { productOf } from "./products.ts";

const WORDS = {
  pending: ["099", "pending"],
  tokenless: ["000", "delivered"],
  delivered: ["000", "delivered"],
  failed: ["016", "failed"],
  reversed: ["040", "reversed"],
} as const satisfies Record<VendState, readonly [Code, string]>;

/** How amounts are written: some as numbers, some as texts, some with the noise of floats. */
export type Spelling = "usual" | "odd";

/**
 * A vend as pay, requery and the webhook show it. `asked`: a pending vend is 099 on pay; a requery that knows it says 001 and
 * tells the inner state, whatever it is, except for a failure.
 */
export function showVend(
  world: VendorWorld,
  vend: Vend,
  state: VendState,
  asked: "pay" | "requery" = "pay",
  spelling: Spelling = "usual",
): Record<string, unknown> {
  const [word, status] = WORDS[state];
  const code = asked === "requery" && word === "099" ? "001" : word;
  const { serviceId, phone, commissionKobo, transactionId, feeKobo = "0" } = detailsOf(vend);
  const service = serviceOf(serviceId);
  const amount = Number(naira(vend.amountKobo));
  const cost = Number(naira(costKobo(vend)));
  const odd = spelling === "odd";
  const isReversed = state === "reversed";
  return {
    code,
    response_description: DESCRIPTIONS[code],
    requestId: vend.reference,
    // The net of the sale, when it went back.
    amount: isReversed ? cost : odd ? naira(vend.amountKobo) : amount,
    transaction_date: odd
      ? { date: new Date(vend.madeAt).toISOString(), timezone_type: 3, timezone: "Africa/Lagos" }
      : new Date(vend.madeAt).toISOString().replace("Z", "000Z"),
    purchased_code: "",
    ...(isReversed ? { wallet_credit_id: `${transactionId}9` } : {}),
    content: {
      transactions: {
        status,
        product_name: service?.name ?? serviceId,
        unique_element: vend.recipient,
        unit_price: odd ? `${amount}` : amount,
        quantity: 1,
        service_verification: null,
        channel: "api",
        commission: odd ? `${naira(BigInt(commissionKobo))}000000002` : Number(naira(BigInt(commissionKobo))),
        total_amount: odd ? `${naira(costKobo(vend))}00000000004` : cost,
        discount: null,
        type: service?.category ?? "",
        email: "ops@example.test",
        phone,
        name: null,
        convinience_fee: odd ? naira(BigInt(feeKobo)) : Number(naira(BigInt(feeKobo))),
        amount: odd ? `${naira(vend.amountKobo)}` : amount,
        platform: "api",
        method: "api",
        transactionId,
        ...(asked === "requery" ? { extras: null, product_id: 7 } : {}),
        commission_details: service && commissionOf(service),
      },
    },
    ...(state === "delivered" && service ? productOf(service).block?.(vend, world, odd) : {}),
  };
}
