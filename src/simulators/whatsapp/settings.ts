import type { VendorWorld } from "../vendors/world.ts";

export interface SimulatedNumber {
  readonly phoneNumberId: string;
  readonly number: string;
}

/** What may be steered over the control API, as it is at first. */
export const SETTINGS = {
  accessToken: "simulated-access-token",
  appSecret: "simulated-app-secret",
  wabaId: "100000000000001",
  /** The business has so many numbers: every test account gets one of its own. */
  numberCount: 1_000,
  /** How long a person's message lets the business write freely. */
  windowSeconds: 86_400,
  /** From a message to its `sent`, `delivered` and `read`. */
  sentMs: 50,
  deliveredMs: 200,
  readMs: 500,
  /** Whether people read what they get. */
  reads: true,
  /** Messages of a number in a second: 130429. 80 at the vendor; wide, as load tests go through one number. */
  perNumberPerSecond: 100_000,
  /** From a number to one person: one in so many ms, and a burst: 131056. 6,000 at the vendor; 0: no limit. */
  pairEveryMs: 0,
  pairBurst: 45,
  /** How long the address of a file is good for. */
  mediaUrlSeconds: 300,
};

export const numberSetting = (
  world: VendorWorld,
  name:
    | "windowSeconds"
    | "sentMs"
    | "deliveredMs"
    | "readMs"
    | "perNumberPerSecond"
    | "pairEveryMs"
    | "pairBurst"
    | "mediaUrlSeconds",
): number => Number(world.setting(name));

const FIRST = { phoneNumberId: 200_000_000_000_001, number: 2_347_000_000_001 };

/** The business's number of this phone, or of this id, where it has it. */
export function numberBy(world: VendorWorld, key: keyof SimulatedNumber, value: string): SimulatedNumber | undefined {
  const index = /^\d{1,15}$/.test(value) ? Number(value) - FIRST[key] : -1;
  return index >= 0 && index < Number(world.setting("numberCount")) ? numberAt(index) : undefined;
}

export const firstNumber = (): SimulatedNumber => numberAt(0);

export const numberAt = (index: number): SimulatedNumber => ({
  phoneNumberId: String(FIRST.phoneNumberId + index),
  number: String(FIRST.number + index),
});
