import { type Kobo, kobo, parseKobo } from "../kernel/kobo.ts";
import type { Network } from "../kernel/networks.ts";
import type { SmsPlan } from "./sms.settings.ts";

export type SmsRoute = "transactional" | "promotional";

/** Prices read once from a plan's strings: a bulk asks ten thousand times. */
const parsed = new WeakMap<SmsPlan, Map<string, Kobo>>();

/** Price of one message: the plan's price per segment by route type and network (else its default), times the segments. */
export function smsPrice(plan: SmsPlan, route: SmsRoute, network: Network | null, segments: number): Kobo {
  let prices = parsed.get(plan);
  if (!prices) {
    prices = new Map();
    for (const [kind, byNetwork] of Object.entries(plan.prices))
      for (const [name, naira] of Object.entries(byNetwork)) prices.set(`${kind} ${name}`, parseKobo(naira));
    parsed.set(plan, prices);
  }
  const perSegment = prices.get(`${route} ${network ?? "default"}`) ?? prices.get(`${route} default`)!;
  return kobo(perSegment * BigInt(segments));
}
