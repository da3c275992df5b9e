import type { VendorWorld } from "../vendors/world.ts";

/** What may be steered over the control API, as it is at first. */
export const SETTINGS = {
  token: "simulated-buypower-token",
  /** The float. Large, so that only a test that asks for it runs it dry. */
  balanceKobo: "100000000000",
  /** What a purchase in progress says of when to ask: whole seconds, as the vendor has them. Short, as all waits of test mode. */
  delaySeconds: [1, 1, 1, 1, 1, 1] as readonly number[],
  /** Codes of discos that can't be reached: `GET /discos/status` says so, and they neither verify nor sell. */
  discosDown: [] as readonly string[],
};

export const floatKobo = (world: VendorWorld): bigint => BigInt(String(world.setting("balanceKobo")));

export const isDown = (world: VendorWorld, disco: string): boolean =>
  (world.setting("discosDown") as readonly string[]).includes(disco);
