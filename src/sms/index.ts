import type { PlanPrices } from "../accounts/plan-prices.ts";
import type { Plans } from "../accounts/plans.ts";
import { type ConfigFile, simulatorsOf } from "../config/operator-file.ts";
import type { DestinationCaps } from "../counters/destination-caps.ts";
import type { Database } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import type { Tag } from "../http/openapi-tags.ts";
import type { OwnRefusals } from "../http/problems.ts";
import type { Clock } from "../kernel/clock.ts";
import { makeErasedName } from "../kernel/erased-name.ts";
import type { Log } from "../kernel/log.ts";
import type { InSlices } from "../kernel/slices.ts";
import type { OrderViews } from "../orders/order-views.ts";
import type { Orders } from "../orders/orders.ts";
import type { Service } from "../orders/service.ts";
import type { PreSendCheck } from "../orders/service-definition.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import type { Provider } from "../ports/provider.ts";
import type { MakeFallbackSms } from "../ports/sms-fallback.ts";
import { makeBulks } from "./bulk.service.ts";
import { makeCustomerMessages } from "./customer-messages.ts";
import { messagesIn, smsEventReaders } from "./event-objects.ts";
import { makeFallbackSms } from "./fallback.ts";
import { makeSmsInbound } from "./inbound.service.ts";
import { SMS_PLAN_PRICES } from "./plan-prices.schemas.ts";
import { makePreSendCheck } from "./pre-send-check.ts";
import { makeSmsSeal } from "./sealed-sms.ts";
import { senderRoutes } from "./senders.routes.ts";
import { makeSenders } from "./senders.service.ts";
import { SMS } from "./sms.definition.ts";
import { SMS_REFUSALS } from "./sms.refusals.ts";
import { smsRoutes } from "./sms.routes.ts";
import { makeSms } from "./sms.service.ts";
import { makeSmsViews } from "./sms.views.ts";
import { suppressionRoutes } from "./suppressions.routes.ts";
import { makeSuppressions, type Suppressions } from "./suppressions.service.ts";
import { SMS_TAG } from "./tag.ts";

export interface SmsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  readonly secret: string;
  readonly inSlices: InSlices;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly accounts: Plans;
  readonly destinationCaps: DestinationCaps;
  readonly orders: Orders;
}

export interface SmsService extends Service {
  readonly planPrices: PlanPrices<never>;
  /** Its group of the reference. */
  readonly tag: Tag;
  readonly refusals: OwnRefusals;
  readonly views: OrderViews;
  readonly preSendCheck: PreSendCheck;
  /** SMS that stand in for messages of another channel. */
  readonly makeFallback: MakeFallbackSms;
  /** Who wants no promotional messages, on any channel. */
  readonly optOuts: Suppressions;
  /** Messages of other services to their customers. */
  readonly send: SendToCustomer;
  /** Drops the cache of sender IDs. */
  forget(): void;
  serve(http: Http): void;
}

const DEFAULT_SENDER = "Afara";

/** The SMS service. */
export function makeSmsService(parts: SmsParts): SmsService {
  const { db, clock, log, file, secret, inSlices, providers, accounts, destinationCaps, orders } = parts;
  const { defaultSender = DEFAULT_SENDER, approvedSenders = [], plans = [] } = file.services.sms ?? {};
  const seal = makeSmsSeal(secret);
  const erasedName = makeErasedName(secret);
  const suppressions = makeSuppressions({ db, clock, erasedName });
  const senders = makeSenders({ db, clock, defaultSender, openSenders: approvedSenders });
  const options = {
    db,
    orders,
    clock,
    defaultSender,
    senders,
    suppressions,
    destinationCaps,
    vatBasisPoints: file.vatBasisPoints,
    plans,
    seal,
  };
  const sms = makeSms(options);
  const record = makeSmsInbound({ db, clock, log, erasedName });
  const views = makeSmsViews({ db, clock });
  const simulators = simulatorsOf(file);

  return {
    definition: SMS,
    planPrices: SMS_PLAN_PRICES,
    tag: SMS_TAG,
    refusals: SMS_REFUSALS,
    views,
    preSendCheck: makePreSendCheck({ clock, senders, suppressions }),
    unseal: seal.open,
    eventObjects: messagesIn(db),
    eventReaders: smsEventReaders(db),
    // A provider with chat numbers brings messages of chat.
    inbound: (provider, message) =>
      providers.get(provider)?.chatNumbers
        ? undefined
        : record(provider, simulators.has(provider) ? "test" : "live", message),
    makeFallback: makeFallbackSms({ db, clock, plans: accounts, senders, defaultSender }),
    optOuts: suppressions,
    send: makeCustomerMessages({ db, sms, plans: accounts }),
    forget: senders.forget,
    serve(http) {
      const bulks = makeBulks({ ...options, inSlices });
      smsRoutes(http, { db, sms, bulks, orders, views, planOf: accounts.planOf, config: file });
      senderRoutes(http, { senders });
      suppressionRoutes(http, { db, clock, erasedName });
    },
  };
}
