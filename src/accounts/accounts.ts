import type { ConfigFile } from "../config/operator-file.ts";
import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { hashApiKey } from "./api-key.ts";
import { makeKeyLookup } from "./key-lookup.ts";
import type { AccountTerms, KeyLookup } from "./key-record.ts";
import { findAccountTerms } from "./keys.repo.ts";
import { makeLastUsed } from "./last-used.ts";
import { ensureLocalAccount } from "./local-account.ts";
import { makePlans, type Plans } from "./plans.ts";
import { makeSuspension } from "./suspension.ts";

/** Accounts as a running gateway needs them: keys, plans and money. */
export interface Accounts extends Plans {
  readonly lookup: KeyLookup;
  readonly hashKey: (key: string) => Buffer;
  /** What a person may use of an account that they are a member of. */
  termsOf(accountId: Uuid): Promise<AccountTerms | undefined>;
  /** Answers from memory for a few seconds. */
  isSuspended(accountId: Uuid): Promise<boolean>;
  /** Clears cached account data, which may have changed. */
  forget(): void;
  /** Records the use of a key in memory. */
  readonly used: (keyId: string) => void;
  /** Writes records held in memory to the database. */
  close(): Promise<void>;
  /** The account of a local gateway. */
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
    async termsOf(accountId) {
      const row = await findAccountTerms(db, accountId);
      return (
        row && {
          accountSuspended: row.suspended,
          defaultSender: row.default_sender,
          subscriptions: plans.configured(row.subscriptions),
        }
      );
    },
    isSuspended: suspension.isSuspended,
    forget: suspension.forget,
    used: lastUsed.used,
    close: lastUsed.flush,
    ensureLocalAccount: (testKey) => ensureLocalAccount({ db, clock, config, hashKey }, testKey),
  };
}
