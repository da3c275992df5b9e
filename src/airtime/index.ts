import type { Plans } from "../accounts/plans.ts";
import { makeCatalogue, planSources } from "../catalogue/index.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Network } from "../kernel/networks.ts";
import type { Orders } from "../orders/orders.ts";
import type { Provider } from "../ports/provider.ts";
import type { PurchaseService, PurchasesPart } from "../purchases/index.ts";
import { AIRTIME } from "./airtime.definition.ts";
import { AIRTIME_REFUSALS } from "./airtime.refusals.ts";
import { airtimeRoutes } from "./airtime.routes.ts";
import { makeAirtime } from "./airtime.service.ts";
import { DATA_PLANS } from "./data-plans.ts";
import { AIRTIME_PLAN_PRICES } from "./plan-prices.schemas.ts";
import { AIRTIME_LINE } from "./product-line.ts";
import { airtimeReceiptRoutes } from "./receipt.routes.ts";
import { AIRTIME_TAG } from "./tag.ts";

export interface AirtimeParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly accounts: Plans;
  readonly orders: Pick<Orders, "refusalOf">;
  readonly purchases: PurchasesPart;
}

/** Interval of the check whether a vendor's list of data plans is due. */
const DATA_PLANS_MS = 30_000;

/** Airtime and data. */
export function makeAirtimeService(parts: AirtimeParts): PurchaseService {
  const { db, clock, log, file, providers, accounts, orders, purchases } = parts;
  const { service } = AIRTIME;
  const { product } = DATA_PLANS;
  const labels = (network: Network) => ({ product, network });
  const sources = planSources(file, providers, { service, product, labels });
  const catalogue = makeCatalogue({ db, clock, log, reading: DATA_PLANS, sources });
  return {
    definition: AIRTIME,
    planPrices: AIRTIME_PLAN_PRICES,
    tag: AIRTIME_TAG,
    refusals: AIRTIME_REFUSALS,
    ...purchases.hooksFor(AIRTIME_LINE),
    plansChanged: catalogue.changed,
    jobs: [{ name: "data plans", everyMs: DATA_PLANS_MS, run: catalogue.refreshDue }],
    serve(http) {
      const replies = purchases.repliesOf(AIRTIME_LINE);
      const models = purchases.models();
      airtimeRoutes(http, {
        airtime: makeAirtime({ catalogue, refusalOf: orders.refusalOf }),
        catalogue,
        replies,
        models,
        planOf: accounts.planOf,
        plans: file.services.airtime?.plans ?? [],
        vatBasisPoints: file.vatBasisPoints,
      });
      airtimeReceiptRoutes(http, { ...purchases.receipts, replies, models });
    },
    stop: catalogue.stop,
  };
}
