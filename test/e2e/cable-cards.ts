import assert from "node:assert/strict";
import { waitFor } from "../../src/testing/wait-for.ts";
import type { Purchase } from "./purchases.ts";
import type { Money, Rig, Subscriber } from "./rig.ts";

/** What the tests of cable TV share. */

export interface Card {
  readonly object: string;
  readonly verification_id: string;
  readonly smartcard_number: string;
  readonly provider: string;
  readonly customer: { readonly name: string };
  readonly current_plan?: string;
  readonly renewal_amount?: Money;
  readonly due_date?: string;
  readonly expires_at: string;
}

export interface CablePlan {
  readonly plan_id: string;
  readonly provider: string;
  readonly name: string;
  readonly validity_days: number | null;
  readonly amount: Money;
  readonly price: Money & { readonly tax: string };
  readonly available: boolean;
}

export type CablePurchase = Purchase & {
  readonly smartcard_number?: string;
  readonly provider: string;
  readonly kind: "renew" | "change";
};

/** The bouquets of a TV provider, once the vendor's list is there. */
export const plansOf = (subscriber: Pick<Subscriber, "get">, provider: string): Promise<readonly CablePlan[]> =>
  waitFor(`bouquets of ${provider}`, async () => {
    const { body } = await subscriber.get<{ data: readonly CablePlan[] }>(`/cable/plans?provider=${provider}`);
    return body.data.length > 0 ? body.data : undefined;
  });

/** What the simulated card is from now on. */
export async function changeCard(rig: Pick<Rig, "vendors">, number: string, changes: object): Promise<void> {
  const response = await fetch(`${rig.vendors.url}/vtpass/smartcards/${number}`, {
    method: "POST",
    body: JSON.stringify(changes),
  });
  assert.equal(response.status, 200, await response.text());
}

let cards = 0;
/** A card that nothing was bought for yet. */
export const nextCard = (): string => `1${String(300_000_000 + ++cards)}`;
