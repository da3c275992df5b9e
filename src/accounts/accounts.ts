import type { ConfigFile } from "../config/operator-file.ts";
import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { hashApiKey } from "./api-key.ts";
import { makeKeyLookup } from "./key-lookup.ts";
import type { KeyLookup } from "./key-record.ts";
import { makeLastUsed } from "./last-used.ts";
import { ensureLocalAccount } from "./local-account.ts";
import { makePlans, type Plans } from "./plans.ts";
import { makeSuspension } from "./suspension.ts";

/** Who may call, by which plan, and with what money: what a running gateway asks of its accounts. */
export interface Accounts extends Plans {
  readonly lookup: KeyLookup;
  readonly hashKey: (key: string) => Buffer;
  /** Answers from memory for a few seconds. */
  isSuspended(accountId: Uuid): Promise<boolean>;
  /** Forgets what is remembered of accounts; something may have changed. */
  forget(): void;
  /** Remembers that the key was good for a request. */
  readonly used: (keyId: string) => void;
  /** Writes down what only memory has. */
  close(): Promise<void>;
  /** The account of a gateway on one's own machine. */
  ensureLocalAccount(testKey: string): Promise<Uuid>;
}

export interface AccountsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: ConfigFile;
  readonly pepper: string;
}

export function makeAccounts({ db, clock, log, config, pepper }: AccountsOptions): Accounts {
  const plans = makePlans(config);
  const hashKey = (key: string) => hashApiKey(pepper, key);
  const suspension = makeSuspension({ db, clock });
  const lastUsed = makeLastUsed({ db, clock, log });
  return {
    ...plans,
    hashKey,
    lookup: makeKeyLookup(db, plans),
    isSuspended: suspension.isSuspended,
    forget: suspension.forget,
    used: lastUsed.used,
    close: lastUsed.flush,
    ensureLocalAccount: (testKey) => ensureLocalAccount({ db, clock, config, hashKey }, testKey),
  };
}
