import type { Database } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import type { Clock } from "../kernel/clock.ts";
import type { IdPrefix, Uuid } from "../kernel/ids.ts";
import { type Kobo, ZERO_KOBO } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { readWallet } from "../ledger/ledger.repo.ts";
import type { EventReaders } from "../ports/event-object.ts";
import type { Job } from "../ports/job.ts";
import { tellLowWallets } from "./low-wallets.repo.ts";
import { statementRoutes } from "./statement.routes.ts";
import { walletRoutes } from "./wallet.routes.ts";
import { lowWalletView } from "./wallet.view.ts";

export interface WalletParts {
  readonly db: Database;
  readonly clock: Clock;
  /** The server's secret, which encrypts the statement's cursors. */
  readonly secret: string;
  /** Prefix of the order ids of each service. */
  readonly idPrefixes: ReadonlyMap<string, IdPrefix>;
}

export interface WalletPart {
  readonly jobs: readonly Job[];
  readonly eventReaders: EventReaders;
  /** Money that is neither spent nor held. */
  availableOf(accountId: Uuid, mode: Mode): Promise<Kobo>;
  serve(http: Http): void;
}

/** Delay until a subscriber is notified of a low balance. */
const LOW_WALLETS_MS = 3_000;

/** The wallet and its statement. */
export const makeWalletPart = ({ db, clock, secret, idPrefixes }: WalletParts): WalletPart => ({
  jobs: [{ name: "low wallets", everyMs: LOW_WALLETS_MS, run: () => tellLowWallets(db, clock.now()) }],
  eventReaders: {
    "wallet.low": async (events) => new Map(events.map(({ id, mode, detail }) => [id, lowWalletView(mode, detail)])),
  },
  availableOf: async (accountId, mode) => (await readWallet(db, accountId, mode))?.availableKobo ?? ZERO_KOBO,
  serve(http) {
    walletRoutes(http, { db });
    statementRoutes(http, { db, secret, idPrefixes });
  },
});
