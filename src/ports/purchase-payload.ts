import type { AirtimeFacts, AirtimePayload, DataPayload } from "./airtime-payload.ts";
import type { CablePayload } from "./cable-payload.ts";
import type { ElectricityFacts, ElectricityPayload } from "./electricity-payload.ts";

/** What the vendors of today sell, in one place for those that sell several services. */

export type { AirtimePayload, DataPayload } from "./airtime-payload.ts";
export type { ElectricityPayload, ElectricityToken as TokenParcel } from "./electricity-payload.ts";

export type PurchasePayload = AirtimePayload | DataPayload | ElectricityPayload | CablePayload;

/** What a vendor's answer may teach of any of it. */
export type PurchaseFacts = AirtimeFacts & ElectricityFacts;
