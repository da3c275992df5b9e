import { inboundNumberOf } from "../accounts/inbound-numbers.repo.ts";
import { type ConfigFile, simulatorsOf } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import type { Uuid } from "../kernel/ids.ts";
import { ownOrders } from "../orders/orders.repo.ts";
import { ownAttempts } from "../purchases/attempts.repo.ts";
import type { Simulators } from "../simulators/simulators.ts";
import { handsetRoutes } from "./handsets.routes.ts";
import { meterRoutes } from "./meters.routes.ts";

export interface TestModeParts {
  readonly db: Database;
  readonly file: ConfigFile;
  readonly simulators: Pick<Simulators, "smsc" | "vendors">;
  /** The number that handsets of test mode write to by chat. */
  readonly chatNumberOf: (accountId: Uuid) => Promise<string | undefined>;
}

/** The far end of test mode: handsets and meters at the simulators. */
export function makeTestModePart({ db, file, simulators: { smsc, vendors }, chatNumberOf }: TestModeParts) {
  const simulators = [...simulatorsOf(file)];
  const ownPurchases = (accountId: Uuid, simulator: string, references: readonly string[]) => {
    const providers = simulators.filter(([, name]) => name === simulator).map(([provider]) => provider);
    return ownAttempts(db, accountId, providers, references);
  };
  return {
    serve(http: Http): void {
      meterRoutes(http, { vendors, ownPurchases });
      handsetRoutes(http, {
        smsc,
        vendors,
        ownPurchases,
        ownOrders: (accountId, ids) => ownOrders(db, accountId, ids),
        inboundNumberOf: (accountId) => inboundNumberOf(db, accountId, "test"),
        chatNumberOf,
      });
    },
  };
}
