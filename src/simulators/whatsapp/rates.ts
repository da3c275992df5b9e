import type { VendorWorld } from "../vendors/world.ts";
import { numberSetting } from "./settings.ts";

/** Meta's limits as it keeps them; the code that is answered beyond one. Counts the message when it is within both. */
export function overLimit(world: VendorWorld, number: string, msisdn: string): 130429 | 131056 | undefined {
  const second = Math.floor(world.now / 1_000);
  const counted = world.recall(`rate:${number}`) as { readonly second: number; readonly count: number } | undefined;
  const count = counted?.second === second ? counted.count : 0;
  if (count >= numberSetting(world, "perNumberPerSecond")) return 130429;
  const everyMs = numberSetting(world, "pairEveryMs");
  if (everyMs > 0) {
    const key = `pair:${number}:${msisdn}`;
    const paidBackAt = Math.max(world.now, Number(world.recall(key) ?? 0));
    if (paidBackAt - world.now > (numberSetting(world, "pairBurst") - 1) * everyMs) return 131056;
    world.keep(key, paidBackAt + everyMs);
  }
  world.keep(`rate:${number}`, { second, count: count + 1 });
  return undefined;
}
