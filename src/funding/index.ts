import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import type { Clock } from "../kernel/clock.ts";
import { parseKobo } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import type { EventReaders } from "../ports/event-object.ts";
import { type FundingProvider, fundingVendor } from "../ports/funding.ts";
import type { Contact } from "../ports/provider.ts";
import { fundingCallback } from "./callback.routes.ts";
import { fundingEventReaders } from "./event-objects.ts";
import { topupRoutes } from "./topups.routes.ts";
import { makeTopups } from "./topups.service.ts";
import { makeVerifier } from "./verifier.ts";

export interface FundingParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: ConfigFile;
  /** Undefined: only the operator credits live wallets. */
  readonly provider: FundingProvider | undefined;
}

export interface FundingPart {
  /** The provider's contact, by its name in the operator's reports. */
  readonly contacts: ReadonlyMap<string, () => Contact | undefined>;
  readonly eventReaders: EventReaders;
  serve(http: Http): void;
  /** Starts querying the provider about payments. */
  start(): void;
  stop(): Promise<void>;
}

const TOP_UP_BOUNDS = { minimum: "100.00", maximum: "10000000.00" } as const;

/** Top-ups of wallets. */
export function makeFundingPart({ db, clock, log, file, provider }: FundingParts): FundingPart {
  const verifier = provider && makeVerifier({ db, clock, log, provider });
  return {
    contacts: new Map(provider ? [[fundingVendor(provider.name), () => provider.contact?.()]] : []),
    eventReaders: fundingEventReaders(db),
    serve(http) {
      const topups = makeTopups({
        db,
        clock,
        log,
        provider,
        minimumKobo: parseKobo(file.funding?.minimum ?? TOP_UP_BOUNDS.minimum),
        maximumKobo: parseKobo(file.funding?.maximum ?? TOP_UP_BOUNDS.maximum),
      });
      topupRoutes(http, { db, topups });
      if (provider && verifier) fundingCallback(http, { provider, verifier, log });
    },
    start: () => verifier?.start(),
    stop: async () => verifier?.stop(),
  };
}
