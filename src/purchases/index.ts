import type { PlanPrices } from "../accounts/plan-prices.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import type { Tag } from "../http/openapi-tags.ts";
import type { OwnRefusals } from "../http/problems.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { invariant } from "../kernel/result.ts";
import type { OrderViews } from "../orders/order-views.ts";
import type { Orders } from "../orders/orders.ts";
import type { Service } from "../orders/service.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import type { Job } from "../ports/job.ts";
import { purchasesIn } from "./event-objects.ts";
import { makeNotices } from "./notices.ts";
import type { ProductLine } from "./product-line.ts";
import { PURCHASE_REFUSALS } from "./purchase.refusals.ts";
import { makePurchaseReplies, type PurchaseReplies } from "./purchase.replies.ts";
import { makePurchaseViews } from "./purchase.views.ts";
import { type PurchaseModels, purchaseModels } from "./purchase-models.schemas.ts";
import { makePurchases, type PurchasesOptions } from "./purchases.service.ts";
import type { ReceiptRepliesOptions } from "./receipt.replies.ts";
import { makeReceiptPrinter } from "./receipt-printer.ts";
import type { Seller, SellerLogo } from "./seller.ts";
import { makeTokenSeal, type TokenSeal } from "./tokens.ts";

export interface PurchasesParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  /** The picture at `file.seller.logo`. */
  readonly sellerLogo: SellerLogo | undefined;
  readonly secret: string;
  readonly orders: Orders;
  readonly wallet: Pick<PurchasesOptions, "availableOf">;
  readonly send: SendToCustomer;
}

/** A service that sells by purchase. */
export interface PurchaseService extends Service {
  readonly planPrices: PlanPrices<never>;
  /** Its group of the reference. */
  readonly tag: Tag;
  readonly refusals: OwnRefusals;
  readonly views: OrderViews;
  serve(http: Http): void;
  /** Drops what it is fetching from vendors. */
  stop?(): void;
}

/** What the services that sell by purchase share. */
export interface PurchasesPart {
  /** Takes a service's line, before anything is served. Returns what that service does with its orders. */
  hooksFor(line: ProductLine): Required<Pick<Service, "redact" | "onChanged" | "eventObjects" | "views">>;
  readonly jobs: readonly Job[];
  /** Those of every purchase, whatever is bought. */
  readonly refusals: OwnRefusals;
  readonly seal: TokenSeal;
  readonly receipts: Omit<ReceiptRepliesOptions, "replies">;
  repliesOf(line: ProductLine): PurchaseReplies;
  /** The answers about purchases of all lines. */
  models(): PurchaseModels;
  /** Resolves once no notice to a customer is being made. */
  idle(): Promise<void>;
}

/** Delay of a notice to a customer when the node that owed it ended. */
const NOTICES_MS = 5_000;

/** Buying, receipts, tokens and notices to customers, for whatever is sold. */
export function makePurchasesPart(parts: PurchasesParts): PurchasesPart {
  const { db, clock, log, file, sellerLogo, secret, orders, wallet, send } = parts;
  const { vatBasisPoints } = file;
  const seal = makeTokenSeal(secret);
  const lines = new Map<string, ProductLine>();
  const purchases = makePurchases({ db, orders, clock, vatBasisPoints, availableOf: wallet.availableOf, lines });
  const notices = makeNotices({ db, log, seal, send, lines });
  let models: PurchaseModels | undefined;
  const modelsOfAll = (): PurchaseModels => {
    models ??= purchaseModels([...lines.values()]);
    return models;
  };
  const viewsOf = (line: ProductLine) => makePurchaseViews({ line, db, seal, models: modelsOfAll });
  return {
    hooksFor(line) {
      invariant(!models, "every line is there before answers are described");
      lines.set(line.service, line);
      return {
        redact: seal.seal,
        onChanged: notices.changed,
        eventObjects: purchasesIn(line, { db, seal }),
        views: viewsOf(line),
      };
    },
    jobs: [{ name: "notices", everyMs: NOTICES_MS, run: notices.sweep }],
    refusals: PURCHASE_REFUSALS,
    seal,
    receipts: { seal, printer: makeReceiptPrinter(), seller: sellerOf(file, sellerLogo) },
    models: modelsOfAll,
    repliesOf: (line) => makePurchaseReplies({ line, db, purchases, views: viewsOf(line), vatBasisPoints }),
    idle: notices.idle,
  };
}

/** The seller on receipts: the configuration holds the logo's path, a receipt its picture. */
function sellerOf({ seller }: ConfigFile, logo: SellerLogo | undefined): Seller | undefined {
  if (!seller) return undefined;
  const { logo: _path, ...rest } = seller;
  return { ...rest, ...(logo && { logo }) };
}
