import { makeAccountsPart } from "../accounts/index.ts";
import { makeAirtimeService } from "../airtime/index.ts";
import { makeCableService } from "../cable/index.ts";
import { makeChatService } from "../chat/index.ts";
import type { Config } from "../config/gateway-config.ts";
import { simulatorsOf } from "../config/operator-file.ts";
import { DEFAULT_CAPS, makeDestinationCaps } from "../counters/destination-caps.ts";
import { makeElectricityService } from "../electricity/index.ts";
import { makeEventsPart } from "../events/index.ts";
import { makeFundingPart } from "../funding/index.ts";
import { callbackRoutes } from "../http/callbacks.ts";
import { drain } from "../http/drain.ts";
import { makeLimits } from "../http/limits.ts";
import { ownAddress, portOf } from "../http/own-address.ts";
import { buildHttp } from "../http/server.ts";
import { newUuid } from "../kernel/ids.ts";
import { makeSlices } from "../kernel/slices.ts";
import { makeObservabilityPart } from "../observability/index.ts";
import { makeEngineMetrics, watchStanding } from "../orders/engine-metrics.ts";
import { warnOfWaiting } from "../orders/inspect.repo.ts";
import { ordersRoutes } from "../orders/orders.routes.ts";
import { makeOrders } from "../orders/orders.ts";
import { makePortalPart } from "../portal/index.ts";
import type { SendToCustomer } from "../ports/customer-message.ts";
import { makePurchasesPart } from "../purchases/index.ts";
import { makeReconciliationPart } from "../reconciliation/index.ts";
import { makeRetentionPart, retentionOf } from "../retention/index.ts";
import { startSimulators } from "../simulators/simulators.ts";
import { makeSmsService } from "../sms/index.ts";
import { makeTestModePart } from "../test-mode/index.ts";
import { makeWalletPart } from "../wallet/index.ts";
import { makeWebhooksPart, WEBHOOK_EVENTS } from "../webhooks/index.ts";
import { openCounters } from "./counters.ts";
import { openNodeDatabase } from "./database.ts";
import type { App, Outside } from "./gateway.ts";
import { registerNodeFile } from "./node-file.ts";
import { makePeople } from "./people.ts";
import { routesOf } from "./routes.ts";
import { ID_PREFIXES, onOffer, SERVICES } from "./services.ts";
import { buildFunding, buildProviders, leaseFor } from "./vendors.ts";

/** The only place that knows all parts; tests call it with their own clock and database. */
export async function buildApp(config: Config, outside: Outside): Promise<App> {
  const { file, role, dataDir } = config;
  const { clock, log, secret, connection, fetch } = outside;
  const node = newUuid();
  const nodeFile = registerNodeFile(dataDir, node);
  const { db, checks } = await openNodeDatabase({ ...outside, node });
  const observability = await makeObservabilityPart({ ...config, mustListen: config.production, clock, log, node });
  const simulators = await startSimulators({ ...file.simulators, mayStart: role !== "api", dataDir, log, fetch });
  const inSlices = makeSlices(() => clock.monotonicMs());
  const providers = buildProviders(config, { ...outside, inSlices }, simulators.settingsFor);
  const base = { db, clock, log, ...observability.watching, file, secret, inSlices, providers };

  const accounts = makeAccountsPart({ ...base, onOffer: onOffer(file) });
  const funding = makeFundingPart({ ...base, provider: buildFunding(file, outside) });
  const wallet = makeWalletPart({ ...base, idPrefixes: ID_PREFIXES });
  const orders = makeOrders({
    ...base,
    metrics: makeEngineMetrics(base.metrics, clock),
    node,
    role,
    services: SERVICES,
    routes: routesOf(file, providers),
    others: funding.contacts,
    isSuspended: accounts.isSuspended,
    leaseSeconds: leaseFor(config.leaseSeconds, [...providers.values()]),
  });
  const dispatched = role === "api" ? [] : orders.routes;
  watchStanding(base.metrics, { db, clock, routes: dispatched, services: SERVICES, load: () => orders.load });

  const shared = await openCounters(config, base);
  const destinationCaps = makeDestinationCaps(shared.counters, file.destinationCaps ?? DEFAULT_CAPS);
  const parts = { ...base, accounts, orders, destinationCaps };
  const sms = makeSmsService(parts);
  const chat = makeChatService({ ...parts, sms, filesKeptDays: retentionOf(file).files });
  const send: SendToCustomer = (message) => (message.channel === "chat" ? chat : sms).send(message);
  const people = makePeople(config, { ...base, connection, counters: shared.counters });
  const purchases = makePurchasesPart({ ...parts, wallet, sellerLogo: config.sellerLogo, send });
  const sold = [
    makeAirtimeService({ ...parts, purchases }),
    makeElectricityService({ ...parts, purchases, send }),
    makeCableService({ ...parts, purchases }),
  ];
  const reconciliation = makeReconciliationPart({ ...base, sold, idPrefixes: ID_PREFIXES, dispatches: role !== "api" });
  const services = [sms, chat, ...sold];
  const events = makeEventsPart({ ...base, connection, services, others: [wallet, funding, WEBHOOK_EVENTS] });
  const webhooks = makeWebhooksPart({ ...base, node, events, isLocal: !config.production });
  const retention = makeRetentionPart({ ...base, services: SERVICES, isClockRight: () => orders.isClockRight });
  orders.attach(
    services,
    [accounts, people, wallet, purchases, reconciliation, events, webhooks, retention].flatMap(({ jobs }) => jobs),
  );

  const { app: http, authenticator } = await buildHttp({
    ...base,
    keys: accounts.keysBeside(people),
    limits: makeLimits(shared.counters),
    serviceTags: services.map(({ tag }) => tag),
    refusals: [people, purchases, ...services, events].map(({ refusals }) => refusals),
    limitFor: accounts.limitFor,
    readiness: { checks: { ...checks, clock: async () => orders.isClockRight } },
    ...(config.trustProxy && { trustProxy: config.trustProxy }),
  });
  const forgetKeys = () => authenticator.forgetKeys();
  for (const part of [people, makePortalPart(base), sms, wallet, funding]) part.serve(http);
  accounts.serve(http, forgetKeys, services);
  for (const part of [chat, ...sold, webhooks]) part.serve(http);
  events.serve(http, authenticator.isStillAllowed);
  ordersRoutes(http, { db, services });
  callbackRoutes(http, providers);
  makeTestModePart({ db, file, simulators, chatNumberOf: chat.testNumberOf }).serve(http);

  return {
    node,
    routes: http.edge.routes,
    ensureLocalAccount: accounts.ensureLocalAccount,
    localLink: people.localLink,
    async start() {
      await orders.start(nodeFile.dead);
      await shared.start();
      await warnOfWaiting(db, log, Object.keys(file.services));
      accounts.start(connection, [forgetKeys, sms.forget]);
      if (role !== "api") await Promise.all([funding.start(), webhooks.start(nodeFile.dead)]);
      nodeFile.forgetDead();
      if (role !== "dispatcher") await http.listen({ host: config.host, port: config.port });
      const port = portOf(http.server, config.port);
      if (role !== "dispatcher") void simulators.callBackTo(ownAddress(config.host, port), simulatorsOf(file));
      return { port, adminPort: await observability.start(), vendorsControl: simulators.vendors?.url };
    },
    async stop({ drainSeconds }) {
      simulators.retire();
      for (const service of sold) service.stop?.();
      orders.stopWaiting();
      events.endStreams();
      await drain(http, drainSeconds);
      await funding.stop();
      shared.stop();
      await orders.stop();
      await webhooks.stop();
      await purchases.idle();
      await simulators.stop();
      for (const part of [people, accounts, events]) await part.close();
      await observability.stop();
      await db.close();
      return { alone: nodeFile.leave() };
    },
  };
}
