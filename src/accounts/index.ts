import type { ConfigFile } from "../config/operator-file.ts";
import type { Connection, Database } from "../db/database.ts";
import { type Listener, listen } from "../db/listen.ts";
import type { Keys } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import type { Sessions } from "../http/session-entry.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Job } from "../ports/job.ts";
import { type Accounts, makeAccounts } from "./accounts.ts";
import { CHANGES_CHANNEL } from "./changes.repo.ts";
import { keysRoutes } from "./keys.routes.ts";
import { limitsRoutes } from "./limits.routes.ts";
import type { PricedService } from "./plan-prices.ts";
import { makeRenewals } from "./renewals.ts";
import { servicesRoutes } from "./services.routes.ts";
import { subscriptionsRoutes } from "./subscriptions.routes.ts";
import { makeSubscriptions } from "./subscriptions.ts";
import { keepUsage } from "./usage.repo.ts";
import { usageRoutes } from "./usage.routes.ts";

export { checkSecret } from "./secret.ts";

export interface AccountsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  /** The same, limited to services that this gateway implements. */
  readonly onOffer: ConfigFile;
  /** Pepper of API keys. */
  readonly secret: string;
}

export interface AccountsPart extends Omit<Accounts, "forget"> {
  readonly jobs: readonly Job[];
  /**
   * `forgetKeys` drops the edge's cache of keys, so that the next request follows the new plan. `priced`: the services whose code is
   * here.
   */
  serve(http: Http, forgetKeys: () => void, priced: readonly PricedService[]): void;
  /** What the edge needs of keys, and of the sessions of people. */
  keysBeside(people: Pick<Sessions, "isNamed" | "find">): Keys;
  /** Drops its caches, and those of others, whenever another node has changed an account. */
  start(connection: Connection, forgets: readonly (() => void)[]): void;
}

/** Interval between two batches of renewals; at the start of a month every account is due. */
const RENEWALS_MS = 5_000;
/** Interval in which changes of orders are added to the sums of usage. */
const USAGE_MS = 1_000;

/** Accounts, their keys, plans and subscriptions. */
export function makeAccountsPart({ db, clock, log, file, onOffer, secret }: AccountsParts): AccountsPart {
  const accounts = makeAccounts({ db, clock, log, config: onOffer, pepper: secret });
  let changes: Listener | undefined;
  return {
    ...accounts,
    jobs: [
      { name: "renewals", everyMs: RENEWALS_MS, run: makeRenewals({ db, clock, log, config: onOffer }) },
      { name: "usage", everyMs: USAGE_MS, run: () => keepUsage(db) },
    ],
    serve(http, forgetKeys, priced) {
      keysRoutes(http, { db, clock, config: onOffer, hashKey: accounts.hashKey, forgetKeys });
      usageRoutes(http, { db, offered: Object.keys(onOffer.services) });
      limitsRoutes(http, { db, accounts });
      servicesRoutes(http, { config: file, offered: Object.keys(onOffer.services), priced });
      subscriptionsRoutes(http, {
        subscriptions: makeSubscriptions({ db, clock, config: onOffer, configured: Object.keys(file.services) }),
        clock,
        forgetKeys,
      });
    },
    keysBeside: ({ isNamed, find }) => ({
      lookup: accounts.lookup,
      hash: accounts.hashKey,
      used: accounts.used,
      sessions: { isNamed, find, account: accounts.termsOf },
    }),
    start(connection, forgets) {
      const heard = () => {
        for (const forget of [accounts.forget, ...forgets]) forget();
      };
      changes = listen({ connection, channel: CHANGES_CHANNEL, log, heard });
    },
    async close() {
      await accounts.close();
      await changes?.close();
    },
  };
}
