import { issueTokens, meterIn, minimumOf, sell } from "../../vendors/electricity.ts";
import type { Meter } from "../../vendors/magic.ts";
import type { Chosen, VendorWorld } from "../../vendors/world.ts";
import { tokenBlock } from "./electricity-tokens.ts";
import { verifyMeter } from "./meter.ts";
import { amountOf, digitsIn, isBillersCode, isPhone, type SoldProduct, type Wanted } from "./product.ts";

export const ELECTRICITY: SoldProduct = {
  product: "electricity",
  read({ body, phone }) {
    const meter = digitsIn(body.billersCode);
    if (!isPhone(phone) || !isBillersCode(meter)) return "011";
    if (body.variation_code !== "prepaid" && body.variation_code !== "postpaid") return "010";
    const amountKobo = amountOf(body.amount);
    return amountKobo === undefined ? "011" : { recipient: meter, phone, variation: null, amountKobo };
  },
  limits(wanted, chosen, world) {
    const meter = meterOf(wanted, chosen, world);
    return meter ? { minimumKobo: minimumOf(meter), maximumKobo: meter.maximumKobo } : "012";
  },
  notes: (wanted, chosen, world) => ({ arrearsKobo: String(meterOf(wanted, chosen, world)?.arrearsKobo ?? 0n) }),
  give(vend, chosen, world) {
    const meter = meterOf(vend, chosen, world);
    if (meter?.type === "prepaid") issueTokens(world, vend, chosen, sell(meter, vend.amountKobo));
  },
  // What delivers a token delivers it at the top.
  block: (vend, world, odd) => tokenBlock(world, vend, odd),
  verify: verifyMeter,
};

function meterOf({ recipient }: Pick<Wanted, "recipient">, chosen: Chosen, world: VendorWorld): Meter | undefined {
  const meter = world.field.meter(recipient);
  return meter && meterIn(meter, chosen);
}
