import type { ConfigFile } from "../config/operator-file.ts";
import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { keyEnds } from "./api-key.ts";
import { assignInboundNumber } from "./inbound-numbers.repo.ts";
import { insertKey } from "./keys.repo.ts";
import { openAccount } from "./open-account.ts";
import { SCOPES } from "./scopes.ts";
import { keepSetting } from "./settings.repo.ts";
import { subscribe, waiveFees } from "./subscriptions.repo.ts";

const NAME = "Local";
/** The short code for test-mode handsets. */
const SHORT_CODE = "20001";

export interface LocalAccountOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: ConfigFile;
  readonly hashKey: (key: string) => Buffer;
}

/**
 * The account of a local gateway, with this test key, the largest plan of each service and play money. It pays no fees.
 */
export async function ensureLocalAccount(
  { db, clock, config, hashKey }: LocalAccountOptions,
  testKey: string,
): Promise<Uuid> {
  // Identified by a setting, not by its name: any account may be called "Local".
  const accountId = (await keepSetting(db, "local_account", newUuid())) as Uuid;
  await openAccount(db, config, { id: accountId, name: NAME, at: clock.now() });
  await waiveFees(db, accountId);
  for (const [service, { plans }] of Object.entries(config.services))
    await subscribe(db, accountId, service, plans.at(-1)!.id, clock.now());
  await insertKey(db, {
    id: newUuid(),
    accountId,
    mode: "test",
    hash: hashKey(testKey),
    ...keyEnds(testKey),
    scopes: SCOPES,
  });
  await assignInboundNumber(db, accountId, SHORT_CODE, "test");
  return accountId;
}
