import type { Plans } from "../accounts/plans.ts";
import { makeCatalogue, planSources } from "../catalogue/index.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import type { Log } from "../kernel/log.ts";
import type { Orders } from "../orders/orders.ts";
import { TV_PROVIDERS, type TvProvider } from "../ports/cable-payload.ts";
import type { Provider } from "../ports/provider.ts";
import { FEE_PRICES } from "../purchases/fee-prices.schemas.ts";
import type { PurchaseService, PurchasesPart } from "../purchases/index.ts";
import { makeSellers } from "../purchases/sellers.ts";
import { BOUQUETS } from "./bouquets.ts";
import { CABLE } from "./cable.definition.ts";
import { CABLE_REFUSALS } from "./cable.refusals.ts";
import { cableRoutes } from "./cable.routes.ts";
import { makeCable } from "./cable.service.ts";
import { CABLE_LINE } from "./product-line.ts";
import { cableReceiptRoutes } from "./receipt.routes.ts";
import { smartcardView } from "./smartcard.view.ts";
import { makeSmartcards } from "./smartcards.service.ts";
import { CABLE_TAG } from "./tag.ts";
import { forgetVerifications } from "./verifications.repo.ts";

export interface CableParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly accounts: Plans;
  readonly orders: Pick<Orders, "routes" | "refusalOf">;
  readonly purchases: PurchasesPart;
}

/** Interval of the check whether a vendor's list of bouquets is due. */
const BOUQUETS_MS = 30_000;
const OLD_VERIFICATIONS_MS = HOUR_MS;

/** Cable TV. */
export function makeCableService(parts: CableParts): PurchaseService {
  const { db, clock, log, file, providers, accounts, orders, purchases } = parts;
  const { vatBasisPoints } = file;
  const labels = (provider: TvProvider) => ({ tv_provider: provider });
  const { service } = CABLE;
  const sources = planSources(file, providers, { service, product: BOUQUETS.product, labels });
  const catalogue = makeCatalogue({ db, clock, log, reading: BOUQUETS, sources });
  const sellers = makeSellers({
    service,
    product: BOUQUETS.product,
    billers: TV_PROVIDERS,
    labels,
    routes: () => orders.routes,
    clock,
  });
  return {
    definition: CABLE,
    planPrices: FEE_PRICES,
    tag: CABLE_TAG,
    refusals: CABLE_REFUSALS,
    ...purchases.hooksFor(CABLE_LINE),
    plansChanged: catalogue.changed,
    jobs: [
      { name: "bouquets", everyMs: BOUQUETS_MS, run: catalogue.refreshDue },
      {
        name: "old smartcard verifications",
        everyMs: OLD_VERIFICATIONS_MS,
        run: () => forgetVerifications(db, clock.now()),
      },
    ],
    serve(http) {
      const replies = purchases.repliesOf(CABLE_LINE);
      const models = purchases.models();
      const smartcards = makeSmartcards({ db, clock, log, sellers });
      cableRoutes(http, {
        cable: makeCable({
          smartcards,
          catalogue,
          clock,
          vatBasisPoints,
          refusalOf: orders.refusalOf,
          view: smartcardView,
        }),
        catalogue,
        sellers,
        replies,
        models,
        planOf: accounts.planOf,
        plans: file.services.cable?.plans ?? [],
        vatBasisPoints,
      });
      cableReceiptRoutes(http, { ...purchases.receipts, replies, models });
    },
    stop: catalogue.stop,
  };
}
