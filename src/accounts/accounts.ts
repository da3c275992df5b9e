import type { ConfigFile } from "../config-file.ts";
import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { hashApiKey } from "./api-key.ts";
import { makeKeyLookup } from "./key-lookup.ts";
import type { KeyLookup } from "./key-record.ts";
import { ensureLocalAccount } from "./local-account.ts";
import { makePlans, type Plans } from "./plans.ts";
import { type IsSuspended, makeSuspension } from "./suspension.ts";

/** Who may call, by which plan, and with what money: what a running gateway asks of its accounts. */
export interface Accounts extends Plans {
  readonly lookup: KeyLookup;
  readonly hashKey: (key: string) => Buffer;
  readonly isSuspended: IsSuspended;
  /** The account of a gateway on one's own machine. */
  ensureLocalAccount(testKey: string): Promise<Uuid>;
}

export interface AccountsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: ConfigFile;
  readonly pepper: string;
}

export function makeAccounts({ db, clock, config, pepper }: AccountsOptions): Accounts {
  const hashKey = (key: string) => hashApiKey(pepper, key);
  return {
    ...makePlans(config),
    hashKey,
    lookup: makeKeyLookup(db),
    isSuspended: makeSuspension({ db, clock }),
    ensureLocalAccount: (testKey) => ensureLocalAccount({ db, clock, config, hashKey }, testKey),
  };
}
