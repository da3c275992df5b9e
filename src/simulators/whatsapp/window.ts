import type { VendorWorld } from "../vendors/world.ts";
import { numberSetting } from "./settings.ts";

const keyOf = (number: string, msisdn: string): string => `wrote:${number}:${msisdn}`;

/** Whether the person wrote to the number in the last 24 hours. */
export function isOpen(world: VendorWorld, number: string, msisdn: string): boolean {
  const wroteAt = world.recall(keyOf(number, msisdn));
  return typeof wroteAt === "number" && world.now - wroteAt < numberSetting(world, "windowSeconds") * 1_000;
}

/** An older message closes nothing. */
export function open(world: VendorWorld, number: string, msisdn: string, at: number): void {
  world.keep(keyOf(number, msisdn), Math.max(at, Number(world.recall(keyOf(number, msisdn)) ?? 0)));
}

/** Null: the person never wrote. */
export const setWindow = (world: VendorWorld, number: string, msisdn: string, at: number | null): void =>
  world.keep(keyOf(number, msisdn), at ?? 0);
