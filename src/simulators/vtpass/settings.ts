import type { VendorWorld } from "../vendors/world.ts";

/** What may be steered over the control API, as it is at first. */
export const SETTINGS = {
  apiKey: "simulated-api-key",
  publicKey: "PK_simulated",
  secretKey: "SK_simulated",
  /** Of the account: what HTTP Basic authentication takes instead of the keys. */
  email: "sandbox@vtpass.example",
  password: "simulated-password",
  /** The float. Large, so that only a test that asks for it runs it dry. */
  balanceKobo: "100000000000",
  /** The same service and biller again within this time: 019. Thirty seconds at the vendor; short, as all waits of test mode. */
  duplicateWindowMs: 2_000,
  /** How far the date in a request_id may be off. */
  requestIdToleranceMs: 300_000,
  /** One of 021, 022, 023, 024, 027: every call is answered with it. */
  accountCode: null,
  /** Services that are not enabled for the account: 028. */
  servicesOff: [] as readonly string[],
};

export const numberSetting = (world: VendorWorld, name: "duplicateWindowMs" | "requestIdToleranceMs"): number =>
  Number(world.setting(name));

export const floatKobo = (world: VendorWorld): bigint => BigInt(String(world.setting("balanceKobo")));
