import type { Plans } from "../accounts/plans.ts";
import { AIRTIME } from "../airtime/airtime.definition.ts";
import { airtimeRoutes } from "../airtime/airtime.routes.ts";
import { makeAirtime } from "../airtime/airtime.service.ts";
import type { Catalogue, PlanSource } from "../airtime/catalogue.service.ts";
import { airtimeNotice } from "../airtime/notice.ts";
import { airtimeReceiptRoutes } from "../airtime/receipt.routes.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import { electricityRoutes } from "../electricity/electricity.routes.ts";
import { makeElectricity } from "../electricity/electricity.service.ts";
import { meterView } from "../electricity/meter.view.ts";
import { makeMeters } from "../electricity/meters.service.ts";
import { electricityNotice } from "../electricity/notice.ts";
import { receiptRoutes } from "../electricity/receipt.routes.ts";
import { makeResends } from "../electricity/resend.service.ts";
import { makeSellers } from "../electricity/sellers.ts";
import type { Http } from "../http/edge.ts";
import type { Clock } from "../kernel/clock.ts";
import { ZERO_KOBO } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import type { Network } from "../kernel/networks.ts";
import { readWallet } from "../ledger/ledger.repo.ts";
import type { Orders } from "../orders/orders.ts";
import { hasLabels } from "../orders/route.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import type { Provider } from "../ports/provider.ts";
import type { NoticeWords } from "../purchases/notice-text.ts";
import { makeNotices, type Notices } from "../purchases/notices.ts";
import { makePurchaseReplies } from "../purchases/purchase.replies.ts";
import type { Quote } from "../purchases/purchase.ts";
import { makePurchases } from "../purchases/purchases.service.ts";
import { makeReceiptPrinter } from "../purchases/receipt-printer.ts";
import type { Seller, SellerLogo } from "../purchases/seller.ts";
import type { TokenSeal } from "../purchases/tokens.ts";

export interface PurchaseServicesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  /** Of `file.seller`, once read. */
  readonly sellerLogo: SellerLogo | undefined;
  readonly orders: Orders;
  readonly catalogue: Catalogue;
  readonly seal: TokenSeal;
  readonly planOf: Plans["planOf"];
  readonly send: SendToCustomer;
}

/** Puts the services together that sell by purchase; a part of the composition root. */
export function purchaseServices(http: Http, options: PurchaseServicesOptions): Notices {
  const { db, clock, log, file, sellerLogo, orders, catalogue, seal, planOf, send } = options;
  const { vatBasisPoints } = file;
  const purchases = makePurchases({
    db,
    orders,
    clock,
    vatBasisPoints,
    availableOf: async (accountId, mode) => (await readWallet(db, accountId, mode))?.availableKobo ?? ZERO_KOBO,
  });
  const repliesOf = (service: Quote["service"]) =>
    makePurchaseReplies({ service, db, purchases, seal, vatBasisPoints });

  const receipts = { seal, printer: makeReceiptPrinter(), seller: sellerOf(file, sellerLogo) };

  const airtimeReplies = repliesOf("airtime");
  airtimeRoutes(http, {
    airtime: makeAirtime({ catalogue }),
    catalogue,
    replies: airtimeReplies,
    planOf,
    plans: file.services.airtime?.plans ?? [],
    vatBasisPoints,
  });
  airtimeReceiptRoutes(http, { ...receipts, replies: airtimeReplies });

  const sellers = makeSellers({ routes: () => orders.routes, clock });
  const replies = repliesOf("electricity");
  electricityRoutes(http, {
    electricity: makeElectricity({ meters: makeMeters({ db, clock, log, sellers }), clock, view: meterView }),
    sellers,
    replies,
    planOf,
    plans: file.services.electricity?.plans ?? [],
  });
  receiptRoutes(http, { ...receipts, replies, resends: makeResends({ db, clock, seal, send }) });
  return makeNotices({ db, log, seal, send, words: NOTICE_WORDS });
}

/** A service that sells by purchase does not compile without its words. */
const NOTICE_WORDS: Readonly<Record<Quote["service"], NoticeWords>> = {
  airtime: airtimeNotice,
  electricity: electricityNotice,
};

/** Whom receipts name: the file has the logo's path, and here is what was read there. */
function sellerOf({ seller }: ConfigFile, logo: SellerLogo | undefined): Seller | undefined {
  if (!seller) return undefined;
  const { logo: _path, ...said } = seller;
  return { ...said, ...(logo && { logo }) };
}

/** Who sells data bundles, by the routes of airtime. */
export const planSources = ({ routes }: ConfigFile, providers: ReadonlyMap<string, Provider>): PlanSource[] =>
  routes.flatMap(({ service, provider: name, modes, only }) => {
    const provider = providers.get(name);
    if (service !== AIRTIME.service || !provider?.plans) return [];
    const sells = (network: Network) => hasLabels(only, { product: "data", network });
    return [{ provider: name, modes, sells, plans: () => provider.plans!() }];
  });
