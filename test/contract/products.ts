import assert from "node:assert/strict";
import { AIRTIME } from "../../src/airtime/airtime.definition.ts";
import { CABLE } from "../../src/cable/cable.definition.ts";
import { ELECTRICITY } from "../../src/electricity/electricity.definition.ts";
import type { Order } from "../../src/orders/order.ts";
import type { ServiceDefinition } from "../../src/orders/service-definition.ts";
import type { Provider } from "../../src/ports/provider.ts";
import type { PurchasePayload } from "../../src/ports/purchase-payload.ts";
import type { Verified } from "../../src/ports/verified.ts";
import type { SeenVend } from "../../src/simulators/vendors/client.ts";
import type { End, Gap } from "../../src/simulators/vendors/contract.ts";
import type { Product } from "../../src/simulators/vendors/products.ts";
import type { ScenarioName } from "../../src/simulators/vendors/scenarios.ts";
import { PURCHASES } from "../../src/testing/purchase-task.ts";
import { assertArrived, assertTokensWork, type FarEnds } from "./far-ends.ts";

/** What decides which scenarios a product can meet. */
export type Trait = "is for a phone" | "is sold by plans" | "is verified first" | "yields tokens";

/** What the contract tests must know of a product, whichever vendor sells it. */
export interface ContractProduct {
  /** The service that sells it. */
  readonly definition: ServiceDefinition;
  readonly traits: readonly Trait[];
  /** Of its own for each purchase: all vendors share their phones and meters. */
  recipient(number: number): string;
  /** `planCode`: the vendor's, of what is sold by plans. */
  payload(vendor: string, planCode: string | undefined): PurchasePayload;
  /** Whose plans the scenarios that change one may take out of a vendor's list. */
  readonly planGroup?: string;
  /** Where a scenario ends otherwise than for the other products. */
  readonly ends?: Partial<Record<ScenarioName, End | Gap>>;
  readonly verification?: {
    ask(provider: Provider, recipient: string): Promise<Verified<object>> | undefined;
    readonly answers: readonly (readonly [ScenarioName, Verified<object>["kind"]])[];
    /** What an answer must show of what is found. */
    assertFound(found: object): void;
  };
  /** That the far end has got what the order and the vendor's books say. */
  assertReceived(farEnds: FarEnds, order: Order, vends: readonly SeenVend[], end: End): Promise<void>;
}

const phone = (number: number): string => `23480312${String(number).padStart(5, "0")}`;

/** One entry for each product. */
export const PRODUCTS: Readonly<Record<Product, ContractProduct>> = {
  airtime: {
    definition: AIRTIME,
    traits: ["is for a phone"],
    recipient: phone,
    payload: () => PURCHASES.airtime,
    assertReceived: assertArrived("airtime"),
  },
  data: {
    definition: AIRTIME,
    traits: ["is for a phone", "is sold by plans"],
    recipient: phone,
    payload(vendor, planCode) {
      const { plan } = PURCHASES.data;
      return { ...PURCHASES.data, plan: { ...plan, provider: vendor, code: planCode ?? plan.code } };
    },
    planGroup: "mtn",
    assertReceived: assertArrived("data"),
  },
  electricity: {
    definition: ELECTRICITY,
    traits: ["is verified first", "yields tokens"],
    recipient: (number) => `1${String(number).padStart(10, "0")}`,
    payload: () => PURCHASES.electricity,
    verification: {
      ask: (provider, meterNumber) =>
        provider.verify?.meter?.({ disco: "ikeja-electric", meterNumber, meterType: "prepaid" }),
      answers: [
        ["meter_unknown", "not_found"],
        ["meter_in_debt", "found"],
        ["biller_down", "unavailable"],
      ],
      assertFound: (found) => assert.ok("arrearsKobo" in found && Number(found.arrearsKobo) > 0),
    },
    assertReceived: assertTokensWork,
  },
  cable: {
    definition: CABLE,
    traits: ["is sold by plans", "is verified first"],
    recipient: (number) => `1${String(number).padStart(9, "0")}`,
    payload(vendor, planCode) {
      const { kind: _renewal, ...bought } = PURCHASES.cable;
      if (planCode === undefined) return PURCHASES.cable;
      const plan = { id: "gotv-1", code: planCode, provider: vendor, name: "A bouquet", cost_kobo: bought.amount_kobo };
      return { ...bought, tv_provider: "gotv", kind: "change", plan };
    },
    planGroup: "gotv",
    verification: {
      ask: (provider, smartcardNumber) => provider.verify?.smartcard?.({ tvProvider: "dstv", smartcardNumber }),
      answers: [
        ["success", "found"],
        ["meter_unknown", "not_found"],
        ["biller_down", "unavailable"],
      ],
      assertFound: (found) => assert.ok("renewalKobo" in found && Number(found.renewalKobo) > 0),
    },
    assertReceived: assertArrived("cable"),
  },
};
