import type { Plans } from "../accounts/plans.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { DISCOS, type Disco } from "../kernel/discos.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import type { Log } from "../kernel/log.ts";
import type { Orders } from "../orders/orders.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import { FEE_PRICES } from "../purchases/fee-prices.schemas.ts";
import type { PurchaseService, PurchasesPart } from "../purchases/index.ts";
import { makeSellers } from "../purchases/sellers.ts";
import { ELECTRICITY } from "./electricity.definition.ts";
import { ELECTRICITY_REFUSALS } from "./electricity.refusals.ts";
import { electricityRoutes } from "./electricity.routes.ts";
import { makeElectricity } from "./electricity.service.ts";
import { forgetMeterData } from "./forget.ts";
import { meterView } from "./meter.view.ts";
import { makeMeters } from "./meters.service.ts";
import { ELECTRICITY_LINE } from "./product-line.ts";
import { receiptRoutes } from "./receipt.routes.ts";
import { makeResends } from "./resend.service.ts";
import { ELECTRICITY_TAG } from "./tag.ts";

export interface ElectricityParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  readonly accounts: Plans;
  readonly orders: Pick<Orders, "routes" | "refusalOf">;
  readonly purchases: PurchasesPart;
  /** Tokens are sent again by SMS or chat. */
  readonly send: SendToCustomer;
}

const OLD_METER_DATA_MS = HOUR_MS;

/** Prepaid electricity. */
export function makeElectricityService(parts: ElectricityParts): PurchaseService {
  const { db, clock, log, file, accounts, orders, purchases, send } = parts;
  const sellers = makeSellers({
    service: ELECTRICITY.service,
    product: "electricity",
    billers: Object.keys(DISCOS) as Disco[],
    labels: (disco) => ({ disco }),
    routes: () => orders.routes,
    clock,
  });
  return {
    definition: ELECTRICITY,
    planPrices: FEE_PRICES,
    tag: ELECTRICITY_TAG,
    refusals: ELECTRICITY_REFUSALS,
    ...purchases.hooksFor(ELECTRICITY_LINE),
    jobs: [{ name: "old meter data", everyMs: OLD_METER_DATA_MS, run: () => forgetMeterData(db, clock.now()) }],
    serve(http) {
      const replies = purchases.repliesOf(ELECTRICITY_LINE);
      const models = purchases.models();
      electricityRoutes(http, {
        electricity: makeElectricity({
          meters: makeMeters({ db, clock, log, sellers }),
          clock,
          refusalOf: orders.refusalOf,
          view: meterView,
        }),
        sellers,
        replies,
        models,
        planOf: accounts.planOf,
        plans: file.services.electricity?.plans ?? [],
      });
      const resends = makeResends({ db, clock, seal: purchases.seal, send });
      receiptRoutes(http, { ...purchases.receipts, replies, resends, models });
    },
  };
}
