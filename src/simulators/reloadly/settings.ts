import type { VendorWorld } from "../vendors/world.ts";

/** What may be steered over the control API, as it is at first. */
export const SETTINGS = {
  clientId: "simulated-client-id",
  clientSecret: "simulated-client-secret",
  /** For which a token may be asked. */
  audiences: ["https://topups.reloadly.com", "https://topups-sandbox.reloadly.com"] as readonly string[],
  /** How long an access token is good for. */
  tokenSeconds: 86_400,
  /** The float. Large, so that only a test that asks for it runs it dry. */
  balanceKobo: "100000000000",
  /** Two minutes at the vendor. Off at first: in test mode the same phones are topped up all the time. */
  rechargeWindowMs: 0,
  /** What has failed is FAILED, or REFUNDED when it was the network that failed. */
  failedAs: "FAILED",
  /** An error code: every top-up is answered with it, and nothing is taken. */
  errorCode: null,
  /** Operators that take nothing at the moment. */
  operatorsOff: [] as readonly number[],
  webhookSecret: "simulated-webhook-secret",
  /** What is signed: "body:timestamp", "body.timestamp" or "body". */
  webhookSignature: "body:timestamp",
};

export const floatKobo = (world: VendorWorld): bigint => BigInt(String(world.setting("balanceKobo")));
