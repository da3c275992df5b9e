import type { PlanPrices } from "../accounts/plan-prices.ts";
import type { Plans } from "../accounts/plans.ts";
import { type ConfigFile, simulatorsOf } from "../config/operator-file.ts";
import type { DestinationCaps } from "../counters/destination-caps.ts";
import type { Database } from "../db/database.ts";
import { makeFetchFile } from "../egress/fetch-file.ts";
import type { Http } from "../http/edge.ts";
import type { Tag } from "../http/openapi-tags.ts";
import type { OwnRefusals } from "../http/problems.ts";
import type { Clock } from "../kernel/clock.ts";
import { DAY_MS, HOUR_MS } from "../kernel/duration.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { OrderViews } from "../orders/order-views.ts";
import type { Orders } from "../orders/orders.ts";
import type { Service } from "../orders/service.ts";
import type { PreSendCheck } from "../orders/service-definition.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import type { Provider } from "../ports/provider.ts";
import type { MakeFallbackSms } from "../ports/sms-fallback.ts";
import type { IsOptedOut } from "./caller.ts";
import { CHAT } from "./chat.definition.ts";
import { CHAT_REFUSALS } from "./chat.refusals.ts";
import { chatRoutes } from "./chat.routes.ts";
import { makeChat } from "./chat.service.ts";
import { makeChatViews } from "./chat.views.ts";
import { makeCustomerChat } from "./customer-messages.ts";
import { chatEventReaders, messagesIn } from "./event-objects.ts";
import { asSent, viaOf } from "./fallback.ts";
import { type ApplyOptOut, makeInbound } from "./inbound.ts";
import { makeInboundMedia } from "./inbound-media.ts";
import { makeMedia } from "./media.service.ts";
import { makeChatNumbers } from "./numbers.service.ts";
import { CHAT_PLAN_PRICES } from "./plan-prices.schemas.ts";
import { makeChatPreSendCheck } from "./pre-send-check.ts";
import { makeChatSeal } from "./sealed-chat.ts";
import { CHAT_TAG } from "./tag.ts";
import { makeTemplates } from "./templates.service.ts";

export interface ChatParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  readonly secret: string;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly accounts: Plans;
  readonly destinationCaps: DestinationCaps;
  readonly orders: Orders;
  /** How long files that people sent are kept. */
  readonly filesKeptDays: number;
  /** The SMS service: its messages are a fallback, and opt-outs are shared with it. */
  readonly sms: {
    readonly preSendCheck: PreSendCheck;
    readonly makeFallback: MakeFallbackSms;
    readonly optOuts: { readonly isSuppressed: IsOptedOut; readonly applyOptOut: ApplyOptOut };
  };
}

export interface ChatService extends Service {
  readonly planPrices: PlanPrices<never>;
  /** Its group of the reference. */
  readonly tag: Tag;
  readonly refusals: OwnRefusals;
  readonly views: OrderViews;
  /** Messages of other services to their customers. */
  readonly send: SendToCustomer;
  /** The number that handsets of test mode write to. */
  readonly testNumberOf: (accountId: Uuid) => Promise<string | undefined>;
  serve(http: Http): void;
}

/** Interval of the check whether a list of templates is due. */
const TEMPLATES_MS = 30_000;
const INBOUND_MEDIA_MS = 1_000;
const OLD_MEDIA_MS = HOUR_MS;

/** The chat service. */
export function makeChatService(parts: ChatParts): ChatService {
  const { db, clock, log, file, secret, providers, accounts, destinationCaps, orders, sms, filesKeptDays } = parts;
  const isOptedOut = sms.optOuts.isSuppressed;
  const seal = makeChatSeal(secret);
  const sellers = file.routes.flatMap(({ service, provider: name, modes }) => {
    const provider = providers.get(name);
    return service === CHAT.service && provider ? [{ name, modes, provider }] : [];
  });
  const numbers = makeChatNumbers({
    db,
    clock,
    testNumbers: sellers
      .filter(({ modes }) => modes.includes("test"))
      .flatMap(({ name, provider }) => (provider.chatNumbers ?? []).map((number) => ({ number, provider: name }))),
  });
  const templates = makeTemplates({
    db,
    clock,
    log,
    sources: sellers.flatMap(({ name, provider }) =>
      provider.templates ? [{ provider: name, templates: () => provider.templates!() }] : [],
    ),
  });
  const media = makeMedia({
    db,
    clock,
    providers,
    fetchFile: makeFetchFile(),
    links: file.services.chat?.media ?? "link",
  });
  const chat = makeChat({
    db,
    orders,
    clock,
    numbers,
    templates,
    media,
    isOptedOut,
    makeFallbackSms: sms.makeFallback,
    seal,
    destinationCaps,
    vatBasisPoints: file.vatBasisPoints,
    plans: file.services.chat?.plans ?? [],
  });
  const preSendCheck = makeChatPreSendCheck({ db, clock, isOptedOut });
  const record = makeInbound({ db, clock, applyOptOut: sms.optOuts.applyOptOut });
  const views = makeChatViews({ db });
  const simulators = simulatorsOf(file);

  return {
    definition: CHAT,
    planPrices: CHAT_PLAN_PRICES,
    tag: CHAT_TAG,
    refusals: CHAT_REFUSALS,
    views,
    preSendCheck: (order) => (viaOf(order) === "sms" ? sms.preSendCheck(asSent(order)) : preSendCheck(order)),
    unseal: (order) => seal.open(asSent(order)),
    // A provider with chat numbers brings messages of chat.
    inbound: (provider, message) =>
      providers.get(provider)?.chatNumbers
        ? record(provider, simulators.has(provider) ? "test" : "live", message)
        : undefined,
    jobs: [
      { name: "chat templates", everyMs: TEMPLATES_MS, run: templates.refreshDue },
      {
        name: "chat files",
        everyMs: INBOUND_MEDIA_MS,
        run: makeInboundMedia({ db, clock, log, providers, keptMs: filesKeptDays * DAY_MS }),
      },
      { name: "old chat files", everyMs: OLD_MEDIA_MS, run: media.forgetExpired },
    ],
    eventObjects: messagesIn,
    eventReaders: chatEventReaders(db),
    send: makeCustomerChat({ db, chat, plans: accounts }),
    testNumberOf: async (accountId) => (await numbers.all({ accountId, mode: "test" }))[0]?.number,
    serve: (http) => chatRoutes(http, { db, clock, chat, numbers, templates, media, views, planOf: accounts.planOf }),
  };
}
