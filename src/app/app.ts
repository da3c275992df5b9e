import { makeAccounts } from "../accounts/accounts.ts";
import { CHANGES_CHANNEL } from "../accounts/changes.repo.ts";
import { inboundNumberOf } from "../accounts/inbound-numbers.repo.ts";
import { limitsRoutes } from "../accounts/limits.routes.ts";
import { makeRenewals } from "../accounts/renewals.ts";
import { checkSecret } from "../accounts/secret.ts";
import { servicesRoutes } from "../accounts/services.routes.ts";
import { subscriptionsRoutes } from "../accounts/subscriptions.routes.ts";
import { makeSubscriptions } from "../accounts/subscriptions.ts";
import { usageRoutes } from "../accounts/usage.routes.ts";
import { AIRTIME } from "../airtime/airtime.definition.ts";
import { makeCatalogue } from "../airtime/catalogue.service.ts";
import { CHAT } from "../chat/chat.definition.ts";
import { asSent } from "../chat/fallback.ts";
import type { Config } from "../config/config.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import { DEFAULT_CAPS, makeDestinationCaps } from "../counters/destination-caps.ts";
import { makeNodeCounters } from "../counters/node-counters.ts";
import { type Connection, openDatabase } from "../db/database.ts";
import { type Listener, listen } from "../db/listen.ts";
import { isMigrated, migrateAt, readSchema } from "../db/migrate.ts";
import { makeStorageProbe } from "../db/storage-probe.ts";
import { ELECTRICITY } from "../electricity/electricity.definition.ts";
import { forgetMeterData } from "../electricity/forget.ts";
import { fundingCallback } from "../funding/callback.routes.ts";
import { topupRoutes } from "../funding/topups.routes.ts";
import { makeTopups } from "../funding/topups.service.ts";
import { makeVerifier } from "../funding/verifier.ts";
import { callbackRoutes } from "../http/callbacks.ts";
import { drain } from "../http/drain.ts";
import { makeLimits } from "../http/limits.ts";
import { buildHttp } from "../http/server.ts";
import type { Clock } from "../kernel/clock.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { parseKobo } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import { makeSlices } from "../kernel/slices.ts";
import { countApiNodes } from "../orders/nodes.repo.ts";
import { queueOf } from "../orders/order.ts";
import { ownOrders } from "../orders/orders.repo.ts";
import { makeOrders } from "../orders/orders.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import { fundingVendor } from "../ports/funding.ts";
import { ownAttempts } from "../purchases/attempts.repo.ts";
import { makeTokenSeal } from "../purchases/tokens.ts";
import { startSimulators } from "../simulators/simulators.ts";
import { makeBulks } from "../sms/bulk.service.ts";
import { makeCustomerMessages } from "../sms/customer-messages.ts";
import { makeFallbackSms } from "../sms/fallback.ts";
import { makeSmsInbound } from "../sms/inbound.service.ts";
import { makePreSendCheck } from "../sms/pre-send-check.ts";
import { makeSmsSeal } from "../sms/sealed-sms.ts";
import { senderRoutes } from "../sms/senders.routes.ts";
import { makeSenders } from "../sms/senders.service.ts";
import { SMS } from "../sms/sms.definition.ts";
import { smsRoutes } from "../sms/sms.routes.ts";
import { makeSms } from "../sms/sms.service.ts";
import { suppressionRoutes } from "../sms/suppressions.routes.ts";
import { makeSuppressions } from "../sms/suppressions.service.ts";
import { handsetRoutes } from "../test-mode/handsets.routes.ts";
import { meterRoutes } from "../test-mode/meters.routes.ts";
import { tellLowWallets } from "../wallet/low-wallets.repo.ts";
import { statementRoutes } from "../wallet/statement.routes.ts";
import { walletRoutes } from "../wallet/wallet.routes.ts";
import { chatServices } from "./chat-services.ts";
import { registerNodeFile } from "./node-file.ts";
import { planSources, purchaseServices } from "./purchase-services.ts";
import { reconciliationJobs } from "./reconciliation-jobs.ts";
import { onOffer, SERVICES } from "./services.ts";
import { buildFunding, buildProviders, leaseFor } from "./vendors.ts";

export interface Outside {
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: typeof fetch;
  readonly connection: Connection;
  /** Pepper of API keys. */
  readonly secret: string;
  readonly migrationsDir: string;
}

export interface App {
  /** Listens and dispatches. Resolves with the address once `/readyz` would say yes. */
  start(): Promise<{
    readonly port: number;
    /** Where the vendors' simulators are steered, if this node knows any. */
    readonly vendorsControl: string | undefined;
  }>;
  /** Stops in order: no new request, requests answered, orders finished or given back, connections closed. */
  stop(options: { readonly drainSeconds: number }): Promise<{
    /** No other node of this data directory is left. */
    readonly alone: boolean;
  }>;
  /** Makes the account of a gateway on one's own machine. */
  ensureLocalAccount(testKey: string): Promise<Uuid>;
  readonly node: Uuid;
}

/** Connections of one node: a lane each for accepting (two), begin, record, report and claim, and some for look-ups. */
const DATABASE_CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 5_000;
/** Between two batches of renewals: at the start of a month there are as many as accounts. */
const RENEWALS_MS = 5_000;
/** How soon a subscriber hears that money runs low. */
const LOW_WALLETS_MS = 3_000;
/** How often it is looked whether a vendor's list of data plans is due. */
const DATA_PLANS_MS = 30_000;
/** How soon a customer is told whom a node that ended left untold. */
const NOTICES_MS = 5_000;
const METER_DATA_MS = 3_600_000;
const TOP_UP_BOUNDS = { minimum: "100.00", maximum: "10000000.00" } as const;

/** Puts the parts together. The only place that knows them all; tests call it with their own clock and database. */
export async function buildApp(config: Config, outside: Outside): Promise<App> {
  const { clock, log } = outside;
  const { file } = config;
  const node = newUuid();
  const inSlices = makeSlices(() => clock.monotonicMs());
  const place = registerNodeFile(config.dataDir, node);
  const schema = readSchema(outside.migrationsDir);
  await migrateAt(outside.connection, schema);
  const db = openDatabase({
    connection: outside.connection,
    connections: DATABASE_CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    log,
  });
  await checkSecret(db, outside.secret);

  const simulators = await startSimulators({
    ...file.simulators,
    mayStart: config.role !== "api",
    dataDir: config.dataDir,
    log,
    fetch: outside.fetch,
  });
  const providers = buildProviders(config, { ...outside, inSlices }, simulators.settingsFor);
  const accounts = makeAccounts({ db, clock, log, config: onOffer(file), pepper: outside.secret });

  const smsSeal = makeSmsSeal(outside.secret);
  const suppressions = makeSuppressions({ db, clock });
  const defaultSender = file.services.sms?.defaultSender ?? "Afara";
  const senders = makeSenders({ db, clock, defaultSender, openSenders: file.services.sms?.approvedSenders ?? [] });

  const funding = buildFunding(file, outside);
  const verifier = funding && makeVerifier({ db, clock, log, provider: funding });

  const seal = makeTokenSeal(outside.secret);
  const catalogue = makeCatalogue({ db, clock, log, sources: planSources(file, providers) });

  const chat = chatServices({
    db,
    clock,
    log,
    file,
    providers,
    isOptedOut: suppressions.isSuppressed,
    makeFallbackSms: makeFallbackSms({ db, clock, plans: accounts, senders, defaultSender }),
    applyOptOut: suppressions.applyOptOut,
    secret: outside.secret,
  });
  const smsInbound = makeSmsInbound({ db, clock, log });
  const smsPreSendCheck = makePreSendCheck({ clock, senders, suppressions });

  const orders = makeOrders({
    db,
    node,
    role: config.role,
    clock,
    log,
    services: SERVICES,
    providers,
    ...(funding && { others: new Map([[fundingVendor(funding.name), () => funding.contact?.()]]) }),
    routes: file.routes.map((route) => ({
      provider: providers.get(route.provider)!,
      settings: {
        name: route.provider,
        ...reachOf(route),
        weight: route.weight ?? 1,
        window: route.window,
        ratePerSecond: route.ratePerSecond,
      },
    })),
    isSuspended: (accountId) => accounts.isSuspended(accountId),
    leaseSeconds: leaseFor(config.leaseSeconds, [...providers.values()]),
    inSlices,
  });

  const shared = await makeNodeCounters({
    redisUrl: config.role === "dispatcher" ? undefined : config.redisUrl, // it takes no requests
    nodes: () => countApiNodes(db),
    clock,
    log,
  });
  const { app: http, authenticator } = await buildHttp({
    clock,
    log,
    keys: { lookup: accounts.lookup, hash: accounts.hashKey, used: accounts.used },
    limits: makeLimits(shared.counters),
    limitFor: accounts.limitFor,
    inSlices,
    secret: outside.secret,
    readiness: {
      checks: {
        database: () => isMigrated(db, schema.migrations),
        storage: makeStorageProbe(db, node, clock),
        clock: async () => orders.isClockRight,
      },
    },
    ...(config.trustProxy && { trustProxy: config.trustProxy }),
  });
  const smsOptions = {
    db,
    orders,
    clock,
    defaultSender,
    senders,
    suppressions,
    destinationCaps: makeDestinationCaps(shared.counters, file.destinationCaps ?? DEFAULT_CAPS),
    vatBasisPoints: file.vatBasisPoints,
    plans: file.services.sms?.plans ?? [],
    seal: smsSeal,
  };
  const sms = makeSms(smsOptions);
  smsRoutes(http, {
    db,
    sms,
    bulks: makeBulks({ ...smsOptions, inSlices }),
    orders,
    clock,
    planOf: accounts.planOf,
    config: file,
  });
  senderRoutes(http, { senders });
  suppressionRoutes(http, { db, clock });
  walletRoutes(http, { db });
  usageRoutes(http, { db });
  statementRoutes(http, {
    db,
    secret: outside.secret,
    idPrefixes: new Map(SERVICES.map(({ service, idPrefix }) => [service, idPrefix])),
  });
  const topups = makeTopups({
    db,
    clock,
    log,
    provider: funding,
    minimumKobo: parseKobo(file.funding?.minimum ?? TOP_UP_BOUNDS.minimum),
    maximumKobo: parseKobo(file.funding?.maximum ?? TOP_UP_BOUNDS.maximum),
  });
  topupRoutes(http, { db, topups });
  if (funding && verifier) fundingCallback(http, { provider: funding, verifier, log });
  limitsRoutes(http, { db, accounts });
  servicesRoutes(http, { config: file, offered: Object.keys(onOffer(file).services) });
  subscriptionsRoutes(http, {
    subscriptions: makeSubscriptions({ db, clock, config: onOffer(file), configured: Object.keys(file.services) }),
    clock,
    forgetKeys: () => authenticator.forgetKeys(),
  });
  const bySms = makeCustomerMessages({ db, sms, plans: accounts });
  const byChat = chat.serve(http, { orders, plans: accounts, destinationCaps: smsOptions.destinationCaps });
  const send: SendToCustomer = (message) => (message.channel === "chat" ? byChat : bySms)(message);
  const purchaseParts = {
    db,
    clock,
    log,
    file,
    sellerLogo: config.sellerLogo,
    orders,
    catalogue,
    seal,
    planOf: accounts.planOf,
    send,
  };
  const notices = purchaseServices(http, purchaseParts);
  const modeOf = (provider: string) => (file.providers[provider]?.simulator ? "test" : "live");
  const isOfChat = (provider: string) => providers.get(provider)?.chatNumbers !== undefined;
  const purchaseHooks = { redact: seal.seal, onChanged: notices.changed };
  orders.attach(
    [
      {
        definition: SMS,
        preSendCheck: smsPreSendCheck,
        unseal: smsSeal.open,
        inbound: (provider, message) =>
          isOfChat(provider) ? undefined : smsInbound(provider, modeOf(provider), message),
      },
      {
        definition: CHAT,
        preSendCheck: (order) => smsPreSendCheck(asSent(order)) ?? chat.preSendCheck(order),
        unseal: (order) => chat.open(asSent(order)),
        inbound: (provider, message) => chat.inbound(provider, modeOf(provider), message),
        jobs: chat.jobs,
      },
      {
        definition: AIRTIME,
        ...purchaseHooks,
        plansChanged: catalogue.changed,
        jobs: [{ name: "data plans", everyMs: DATA_PLANS_MS, run: catalogue.refreshDue }],
      },
      {
        definition: ELECTRICITY,
        ...purchaseHooks,
        jobs: [{ name: "old meter data", everyMs: METER_DATA_MS, run: () => forgetMeterData(db, clock.now()) }],
      },
    ],
    [
      { name: "renewals", everyMs: RENEWALS_MS, run: makeRenewals({ db, clock, log, config: onOffer(file) }) },
      { name: "low wallets", everyMs: LOW_WALLETS_MS, run: () => tellLowWallets(db, clock.now()) },
      { name: "notices", everyMs: NOTICES_MS, run: notices.sweep },
      ...reconciliationJobs({ db, clock, log, file, services: SERVICES, providers, dispatches: config.role !== "api" }),
    ],
  );
  callbackRoutes(http, providers);
  const ownPurchases = (accountId: Uuid, simulator: string, references: readonly string[]) =>
    ownAttempts(db, accountId, providersAt(file, simulator), references);
  meterRoutes(http, { vendors: simulators.vendors, ownPurchases });
  handsetRoutes(http, {
    smsc: simulators.smsc,
    vendors: simulators.vendors,
    ownPurchases,
    ownOrders: (accountId, ids) => ownOrders(db, accountId, ids),
    inboundNumberOf: (accountId) => inboundNumberOf(db, accountId, "test"),
    chatNumberOf: chat.testNumberOf,
  });

  let changes: Listener | undefined;
  const forget = () => {
    authenticator.forgetKeys();
    accounts.forget();
    senders.forget();
  };

  return {
    node,
    ensureLocalAccount: (testKey) => accounts.ensureLocalAccount(testKey),
    async start() {
      await orders.start(place.dead);
      await shared.start();
      changes = listen({ connection: outside.connection, channel: CHANGES_CHANNEL, log, heard: forget });
      if (config.role !== "api") verifier?.start();
      place.forgetDead();
      if (config.role !== "dispatcher") await http.listen({ host: config.host, port: config.port });
      const address = http.server.address();
      const port = typeof address === "object" && address ? address.port : config.port;
      if (config.role !== "dispatcher") void simulators.callBackTo(ownAddress(config.host, port), simulatedBy(file));
      return { port, vendorsControl: simulators.vendors?.url };
    },
    async stop({ drainSeconds }) {
      simulators.retire();
      catalogue.stop();
      orders.stopWaiting();
      await drain(http, drainSeconds);
      await verifier?.stop();
      shared.stop();
      await orders.stop();
      await notices.idle();
      await simulators.stop();
      await accounts.close();
      await changes?.close();
      await db.close();
      return { alone: place.leave() };
    },
  };
}

/** Routes of SMS take the SMS, too, that stand in for chat messages: these stay orders of chat. */
function reachOf({ service, modes, only }: ConfigFile["routes"][number]) {
  const services = service === SMS.service ? [SMS.service, CHAT.service] : [service];
  const channel = service === SMS.service || service === CHAT.service ? { channel: [service] } : {};
  return {
    queues: services.flatMap((one) => modes.map((mode) => queueOf(one, mode))),
    only: { ...only, ...channel },
  };
}

/** The providers that a simulator stands in for. */
const providersAt = ({ providers }: ConfigFile, simulator: string): readonly string[] =>
  Object.entries(providers).flatMap(([name, provider]) => (provider.simulator === simulator ? [name] : []));

/** Which simulator stands behind each provider that is one. */
const simulatedBy = ({ providers }: ConfigFile): ReadonlyMap<string, string> =>
  new Map(Object.entries(providers).flatMap(([name, { simulator }]) => (simulator ? [[name, simulator]] : [])));

/** Where this machine's own processes reach the gateway. */
const ownAddress = (host: string, port: number): string =>
  `http://${["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host}:${port}`;
