import { join } from "node:path";
import { makeAccounts } from "./accounts/accounts.ts";
import { CHANGES_CHANNEL } from "./accounts/changes.repo.ts";
import { inboundNumberOf } from "./accounts/inbound-numbers.repo.ts";
import { limitsRoutes } from "./accounts/limits.routes.ts";
import { tellLowWallets } from "./accounts/low-wallets.repo.ts";
import { makeRenewals } from "./accounts/renewals.ts";
import { checkSecret } from "./accounts/secret.ts";
import { servicesRoutes } from "./accounts/services.routes.ts";
import { statementRoutes } from "./accounts/statement.routes.ts";
import { subscriptionsRoutes } from "./accounts/subscriptions.routes.ts";
import { makeSubscriptions } from "./accounts/subscriptions.ts";
import { usageRoutes } from "./accounts/usage.routes.ts";
import { walletRoutes } from "./accounts/wallet.routes.ts";
import type { Config } from "./config.ts";
import { type ConfigFile, faultsOfConfig } from "./config-file.ts";
import { makeNodeCounters } from "./counters/node-counters.ts";
import { type Connection, openDatabase } from "./db/database.ts";
import { type Listener, listen } from "./db/listen.ts";
import { isMigrated, migrateAt, readMigrations } from "./db/migrate.ts";
import { fundingCallback } from "./funding/callback.routes.ts";
import { topupRoutes } from "./funding/topups.routes.ts";
import { makeTopups } from "./funding/topups.service.ts";
import { makeVerifier } from "./funding/verifier.ts";
import { drain } from "./http/drain.ts";
import { makeLimits } from "./http/limits.ts";
import { buildHttp } from "./http/server.ts";
import type { Clock } from "./kernel/clock.ts";
import { newUuid, type Uuid } from "./kernel/ids.ts";
import { parseKobo } from "./kernel/kobo.ts";
import type { Log } from "./kernel/log.ts";
import type { HoldRule } from "./ledger/ledger.repo.ts";
import { DEFAULT_CAPS, makeDestinationCaps } from "./orders/destination-caps.ts";
import { countApiNodes } from "./orders/nodes.repo.ts";
import { ownOrders } from "./orders/orders.repo.ts";
import { makeOrders } from "./orders/orders.ts";
import type { ServiceDefinition } from "./orders/service-definition.ts";
import { takePlace } from "./predecessors.ts";
import type { FundingDeps, FundingProvider } from "./providers/funding.ts";
import type { Provider, ProviderDeps } from "./providers/provider.ts";
import { FUNDING_PROVIDERS, PROVIDERS } from "./providers/registry.ts";
import { handsetRoutes } from "./simulators/handsets.routes.ts";
import { SmscClient } from "./simulators/smsc/client.ts";
import { type SupervisedSmsc, superviseSmsc } from "./simulators/supervisor.ts";
import { makeBulks } from "./sms/bulk.service.ts";
import { recordInbound } from "./sms/inbound.repo.ts";
import { makeLastLook } from "./sms/last-look.ts";
import { senderRoutes } from "./sms/senders.routes.ts";
import { makeSenders } from "./sms/senders.service.ts";
import { SMS } from "./sms/sms.definition.ts";
import { smsRoutes } from "./sms/sms.routes.ts";
import { makeSms } from "./sms/sms.service.ts";
import { suppressionRoutes } from "./sms/suppressions.routes.ts";
import { makeSuppressions } from "./sms/suppressions.service.ts";

/** Every service, one line each. */
export const SERVICES: readonly ServiceDefinition[] = [SMS];

/** What `adapter` in the configuration may say. */
export const ADAPTERS: readonly string[] = PROVIDERS.map(({ adapter }) => adapter);

/** The configuration with the services that this gateway has the code of: the others can't be subscribed to. */
export const onOffer = (file: ConfigFile): ConfigFile => ({
  ...file,
  services: Object.fromEntries(
    Object.entries(file.services).filter(([name]) => SERVICES.some(({ service }) => service === name)),
  ),
});

/** Where holds must be, state by state: what the ledger's proof goes by. */
export const HOLD_RULES: readonly HoldRule[] = SERVICES.flatMap(({ service, table }) =>
  Object.entries(table.states).map(([state, { hold }]) => ({ service, state, hold })),
);

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
  start(): Promise<{ readonly port: number }>;
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
/** How long a request waits for a database whose answer was lost, before it is answered `acceptance_unknown`. */
const ANSWER_MS = 10_000;
const ACCEPT_WAITING_MAX = 20_000;
/** Between two batches of renewals: at the start of a month there are as many as accounts. */
const RENEWALS_MS = 5_000;
/** How soon a subscriber hears that money runs low. */
const LOW_WALLETS_MS = 3_000;
const TOP_UP_BOUNDS = { minimum: "100.00", maximum: "10000000.00" } as const;

/** A configuration that can't be built, with everything that is wrong with it. */
export class ConfigurationFault extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}

/** Puts the parts together. The only place that knows them all; tests call it with their own clock and database. */
export async function buildApp(config: Config, outside: Outside): Promise<App> {
  const { clock, log } = outside;
  const { file } = config;
  const node = newUuid();
  const place = takePlace(config.dataDir, node);
  const migrations = readMigrations(outside.migrationsDir);
  await migrateAt(outside.connection, migrations);
  const db = openDatabase({
    connection: outside.connection,
    connections: DATABASE_CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    log,
  });
  await checkSecret(db, outside.secret);

  const smsc = await startSimulator(config, outside);
  const simulated = smsc && { host: smsc.host, port: smsc.smppPort };
  const providers = buildProviders(config, outside, simulated);
  const accounts = makeAccounts({ db, clock, log, config: onOffer(file), pepper: outside.secret });

  const suppressions = makeSuppressions({ db, clock });
  const defaultSender = file.services.sms?.defaultSender ?? "Afara";
  const senders = makeSenders({ db, clock, defaultSender, openSenders: file.services.sms?.approvedSenders ?? [] });

  const funding = buildFunding(file, outside);
  const verifier = funding && makeVerifier({ db, clock, log, provider: funding });

  const inboxMax = Math.max(500, ...file.routes.map((route) => route.window * 2));
  const orders = makeOrders({
    db,
    node,
    role: config.role,
    clock,
    log,
    services: SERVICES,
    routes: file.routes.map((route) => ({
      provider: providers.get(route.provider)!,
      settings: {
        name: route.provider,
        queues: route.modes.map((mode) => `${route.service}:${mode}`),
        weight: route.weight ?? 1,
        window: route.window,
        ratePerSecond: route.ratePerSecond,
        ...(route.only && { only: route.only }),
      },
    })),
    isSuspended: (accountId) => accounts.isSuspended(accountId),
    lastLook: makeLastLook({ clock, senders, suppressions }),
    inbound: (provider, message) =>
      recordInbound(db, provider, file.providers[provider]?.simulator ? "test" : "live", newUuid(), message),
    leaseSeconds: leaseFor(config.leaseSeconds, [...providers.values()]),
    inboxMax,
    waitingMax: ACCEPT_WAITING_MAX,
    answerMs: ANSWER_MS,
    jobs: [
      { name: "renewals", everyMs: RENEWALS_MS, run: makeRenewals({ db, clock, log, config: onOffer(file) }) },
      { name: "low wallets", everyMs: LOW_WALLETS_MS, run: () => tellLowWallets(db, clock.now()) },
    ],
  });

  const shared = makeNodeCounters({
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
    readiness: { checks: { database: () => isMigrated(db, migrations) } },
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
  };
  smsRoutes(http, {
    db,
    sms: makeSms(smsOptions),
    bulks: makeBulks(smsOptions),
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
  handsetRoutes(http, {
    smsc: smsc?.client,
    ownOrders: (accountId, ids) => ownOrders(db, accountId, ids),
    inboundNumberOf: (accountId) => inboundNumberOf(db, accountId, "test"),
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
      place.bury();
      if (config.role !== "dispatcher") await http.listen({ host: config.host, port: config.port });
      const address = http.server.address();
      return { port: typeof address === "object" && address ? address.port : config.port };
    },
    async stop({ drainSeconds }) {
      smsc?.retire();
      await drain(http, drainSeconds);
      await verifier?.stop();
      shared.stop();
      await orders.stop();
      await smsc?.stop();
      await accounts.close();
      await changes?.close();
      await db.close();
      return { alone: place.leave() };
    },
  };
}

/** Everything that is wrong with the settings of the providers, if the rest of the file can be read. Starts none of them. */
export function faultsOfProviders(config: Config, deps: ProviderDeps): readonly string[] {
  if (faultsOfConfig(config.file, ADAPTERS).length > 0) return [];
  try {
    buildProviders(config, deps, { host: "127.0.0.1", port: NO_PORT });
    buildFunding(config.file, { ...deps, fetch });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationFault) return error.faults;
    throw error;
  }
}

/** The lease outlasts the slowest vendor's answer with half as much to spare, although it is renewed while an order is under way. */
const leaseFor = (wantedSeconds: number, providers: readonly Provider[]): number =>
  Math.max(wantedSeconds, ...providers.map(({ answerWithinMs }) => Math.ceil((answerWithinMs * 1.5) / 1_000)));

/** Builds every provider that is configured, or throws all that is wrong with their settings. */
function buildProviders(
  config: Config,
  { clock, log }: ProviderDeps,
  simulated: { readonly host: string; readonly port: number } | undefined,
): ReadonlyMap<string, Provider> {
  const providers = new Map<string, Provider>();
  const faults: string[] = [];
  for (const [name, { adapter, simulator, settings }] of Object.entries(config.file.providers)) {
    const definition = PROVIDERS.find((candidate) => candidate.adapter === adapter);
    const built = definition?.build(name, simulator ? { ...settings, ...simulated } : settings, { clock, log });
    if (built?.ok) providers.set(name, built.value);
    else for (const fault of built?.error ?? []) faults.push(`providers.${name}.settings: ${fault}`);
  }
  if (faults.length > 0) throw new ConfigurationFault(faults);
  return providers;
}

function buildFunding({ funding }: ConfigFile, { fetch, log }: FundingDeps): FundingProvider | undefined {
  if (!funding) return undefined;
  const definition = FUNDING_PROVIDERS.find(({ adapter }) => adapter === funding.adapter);
  if (!definition) {
    const there = FUNDING_PROVIDERS.map(({ adapter }) => adapter).join(", ");
    throw new ConfigurationFault([`funding.adapter: "${funding.adapter}" is not one; there are ${there}`]);
  }
  const built = definition.build(funding.settings, { fetch, log });
  if (!built.ok) throw new ConfigurationFault(built.error.map((fault) => `funding.settings: ${fault}`));
  return built.value;
}

type Simulator = Omit<SupervisedSmsc, "client"> & {
  readonly host: string;
  /** Undefined: it is another node's, at ports that this one can't know. */
  readonly client: SmscClient | undefined;
};

/** Port of a vendor that is built and never connected to. */
const NO_PORT = 1;

async function startSimulator(config: Config, outside: Outside): Promise<Simulator | undefined> {
  const settings = config.file.simulators?.smsc;
  if (!settings) return undefined;
  const { host = "127.0.0.1", smppPort = 0, controlPort = 0 } = settings;
  const elsewhere = { host, retire: () => undefined, stop: async () => undefined };
  if (settings.start === false)
    return { ...elsewhere, smppPort, client: new SmscClient(controlPort, outside.fetch, host) };
  // Messages leave from the nodes that dispatch: a simulator of this one would receive none.
  if (config.role === "api") {
    const client = controlPort === 0 ? undefined : new SmscClient(controlPort, outside.fetch, host);
    return { ...elsewhere, smppPort: smppPort || NO_PORT, client };
  }
  const smsc: SupervisedSmsc = await superviseSmsc(
    { dataDir: join(config.dataDir, "smsc"), host, smppPort, controlPort },
    outside.log,
    outside.fetch,
  );
  return { host, ...smsc };
}
