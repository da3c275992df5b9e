import type { Plans } from "../accounts/plans.ts";
import { CHAT } from "../chat/chat.definition.ts";
import { chatRoutes } from "../chat/chat.routes.ts";
import { type IsOptedOut, makeChat } from "../chat/chat.service.ts";
import { makeCustomerChat } from "../chat/customer-messages.ts";
import { type ApplyOptOut, makeInbound } from "../chat/inbound.ts";
import { makeInboundMedia } from "../chat/inbound-media.ts";
import { makeMedia } from "../chat/media.service.ts";
import { makeChatNumbers } from "../chat/numbers.service.ts";
import { makeChatPreSendCheck } from "../chat/pre-send-check.ts";
import { type ChatSeal, makeChatSeal } from "../chat/sealed-chat.ts";
import { makeTemplates } from "../chat/templates.service.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { DestinationCaps } from "../counters/destination-caps.ts";
import type { Database } from "../db/database.ts";
import { makeFetchFile } from "../egress/fetch-file.ts";
import type { Http } from "../http/edge.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Job } from "../orders/housekeeping.ts";
import type { Orders } from "../orders/orders.ts";
import type { PreSendCheck } from "../orders/service-definition.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import type { InboundMessage, Provider } from "../ports/provider.ts";
import type { MakeFallbackSms } from "../ports/sms-fallback.ts";

export interface ChatServicesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly isOptedOut: IsOptedOut;
  readonly makeFallbackSms: MakeFallbackSms;
  readonly applyOptOut: ApplyOptOut;
  readonly secret: string;
}

interface ServeParts {
  readonly orders: Orders;
  readonly plans: Plans;
  readonly destinationCaps: DestinationCaps;
}

/** What the engine and the edge need of chat. */
export interface ChatServices {
  /** Undefined for providers of other services. */
  readonly inbound: (provider: string, mode: Mode, message: InboundMessage) => Promise<void> | undefined;
  readonly preSendCheck: PreSendCheck;
  readonly jobs: readonly Job[];
  /** The number that handsets of test mode write to. */
  readonly testNumberOf: (accountId: Uuid) => Promise<string | undefined>;
  /** A payload as its vendor needs it. */
  readonly open: ChatSeal["open"];
  /** Serves chat over HTTP; returns how other services write to customers by it. */
  serve(http: Http, parts: ServeParts): SendToCustomer;
}

/** How often it is looked whether a list of templates is due. */
const TEMPLATES_MS = 30_000;
const INBOUND_MEDIA_MS = 1_000;
const MEDIA_MS = 3_600_000;

/** Puts the chat service together; a part of the composition root. */
export function chatServices(options: ChatServicesOptions): ChatServices {
  const { db, clock, log, file, providers, isOptedOut, makeFallbackSms, applyOptOut } = options;
  const seal = makeChatSeal(options.secret);
  const routes = file.routes.filter(({ service }) => service === CHAT.service);
  const sellers = routes.flatMap(({ provider: name, modes }) => {
    const provider = providers.get(name);
    return provider ? [{ name, modes, provider }] : [];
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
  const record = makeInbound({ db, clock, applyOptOut });

  return {
    inbound: (provider, mode, message) =>
      providers.get(provider)?.chatNumbers ? record(provider, mode, message) : undefined,
    preSendCheck: makeChatPreSendCheck({ db, clock, isOptedOut }),
    jobs: [
      { name: "chat templates", everyMs: TEMPLATES_MS, run: templates.refreshDue },
      { name: "chat files", everyMs: INBOUND_MEDIA_MS, run: makeInboundMedia({ db, clock, log, providers }) },
      { name: "old chat files", everyMs: MEDIA_MS, run: media.forgetExpired },
    ],
    testNumberOf: async (accountId) => (await numbers.all({ accountId, mode: "test" }))[0]?.number,
    open: seal.open,
    serve(http, { orders, plans, destinationCaps }) {
      const chat = makeChat({
        db,
        orders,
        clock,
        numbers,
        templates,
        media,
        isOptedOut,
        makeFallbackSms,
        seal,
        destinationCaps,
        vatBasisPoints: file.vatBasisPoints,
        plans: file.services.chat?.plans ?? [],
      });
      chatRoutes(http, { db, clock, chat, numbers, templates, media, planOf: plans.planOf });
      return makeCustomerChat({ db, chat, plans });
    },
  };
}
