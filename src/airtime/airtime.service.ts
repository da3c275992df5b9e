import type { Catalogue } from "../catalogue/index.ts";
import type { Kobo } from "../kernel/kobo.ts";
import { boundsView } from "../kernel/money.ts";
import { type PhoneFault, parseMsisdn } from "../kernel/msisdn.ts";
import { guessNetwork, type Network } from "../kernel/networks.ts";
import type { Fault } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { Orders } from "../orders/orders.ts";
import type { AirtimePayload, DataPayload } from "../ports/airtime-payload.ts";
import type { PurchaseCaller, Quote } from "../purchases/purchase.ts";
import type { AirtimePlan } from "./airtime.settings.ts";
import {
  AMOUNT_MAX_KOBO,
  AMOUNT_MIN_KOBO,
  airtimePrice,
  amountFault,
  dataPrice,
  noSuchPlan,
  planGone,
} from "./airtime.ts";
import type { PlanFacts } from "./parse-plan.ts";

export interface AirtimeCaller extends PurchaseCaller {
  readonly plan: AirtimePlan;
}

/** What airtime and data cost, once everything about them is checked. Moves nothing. */
export interface Airtime {
  quoteTopup(caller: AirtimeCaller, topup: Topup): Result<Quote>;
  quoteData(caller: AirtimeCaller, bundle: Bundle): Promise<Result<Quote>>;
}

export interface Topup {
  readonly to: string;
  readonly amountKobo: Kobo;
  /** Undefined: it is guessed by the number's first digits. */
  readonly network?: Network | undefined;
}

export interface Bundle {
  readonly to: string;
  readonly planId: string;
}

const phoneFault = ({ code, detail }: PhoneFault): Fault => ({ pointer: "/to", code, detail });

const BOUNDS = boundsView({ minimumKobo: AMOUNT_MIN_KOBO, maximumKobo: AMOUNT_MAX_KOBO });

export interface AirtimeOptions {
  readonly catalogue: Pick<Catalogue<Network, PlanFacts>, "find">;
  readonly refusalOf: Orders["refusalOf"];
}

export function makeAirtime({ catalogue, refusalOf }: AirtimeOptions): Airtime {
  return {
    quoteTopup(caller, { to, amountKobo, network: told }) {
      const phone = parseMsisdn(to, caller.mode);
      const badAmount = amountFault(amountKobo);
      const network = told ?? (phone.ok ? guessNetwork(phone.value) : null);
      const faults = [
        ...(phone.ok ? [] : [phoneFault(phone.error)]),
        ...(badAmount ? [badAmount] : []),
        ...(phone.ok && network === null ? [UNKNOWN_RANGE] : []),
      ];
      if (!phone.ok || network === null || faults.length > 0) {
        const refused = refusalOf(faults);
        return refuse(refused.code === "amount_out_of_bounds" ? { ...refused, members: BOUNDS } : refused);
      }
      const payload: AirtimePayload = {
        product: "airtime",
        network,
        amount_kobo: String(amountKobo),
        ...(told === undefined && { network_guessed: true }),
      };
      return ok({
        service: "airtime",
        recipient: phone.value,
        payload,
        amountKobo,
        priceKobo: airtimePrice(caller.plan, network, amountKobo),
        twinKey: `airtime ${phone.value} ${amountKobo}`,
      });
    },

    async quoteData(caller, { to, planId }) {
      const phone = parseMsisdn(to, caller.mode);
      if (!phone.ok) return refuse(refusalOf([phoneFault(phone.error)]));
      const plan = await catalogue.find(caller.mode, planId);
      if (!plan) return refuse(noSuchPlan(planId));
      if (!plan.available) return refuse(planGone(planId, plan.group));
      const priceKobo = dataPrice(caller.plan, plan.costKobo);
      const { group: network, provider, code, name } = plan;
      const payload: DataPayload = {
        product: "data",
        network,
        plan: { id: planId, provider, code, name, cost_kobo: String(plan.costKobo) },
      };
      return ok({
        service: "airtime",
        recipient: phone.value,
        payload,
        amountKobo: priceKobo,
        priceKobo,
        twinKey: `data ${phone.value} ${provider} ${code}`,
      });
    },
  };
}

const UNKNOWN_RANGE: Fault = {
  pointer: "/network",
  code: "required",
  detail: "The number's first digits belong to no network that we know: say which one it is on, with `network`.",
};
