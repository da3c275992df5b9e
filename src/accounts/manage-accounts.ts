import type { ConfigFile } from "../config/operator-file.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { type Kobo, koboToNaira } from "../kernel/kobo.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { lockAccount, type StoredAccount, updateAccount } from "./accounts.repo.ts";
import { type Actor, audit } from "./audit.repo.ts";
import { announceChange } from "./changes.repo.ts";
import { openAccount } from "./open-account.ts";

export interface AccountManager {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<ConfigFile, "services" | "playMoney">;
}

const NAME_LENGTH_MAX = 200;

/** An account with live and test mode side by side and play money, without subscriptions and keys. Errors: `validation_failed`. */
export async function createAccount(
  { db, clock, config }: AccountManager,
  actor: Actor,
  name: string,
): Promise<Result<{ readonly id: Uuid }>> {
  if (!isName(name)) return refuse(NAME_FAULT);
  const id = newUuid();
  await db.transaction(async (tx) => {
    await openAccount(tx, config, { id, name: name.trim(), at: clock.now() });
    await audit(tx, { actor, action: "account.create", subject: encodeId("acc", id), details: { name: name.trim() } });
  });
  return ok({ id });
}

/** Omitted fields stay unchanged. */
export interface AccountChange {
  readonly name?: string;
  /** In the format of a message's `from`; null for the configuration's. */
  readonly defaultSender?: string | null;
  /** Null: no low-balance event. */
  readonly lowBalanceKobo?: Kobo | null;
}

/** Errors: `not_found`, `validation_failed`. */
export async function changeAccount(
  manager: AccountManager,
  actor: Actor,
  id: Uuid,
  change: AccountChange,
): Promise<Result<StoredAccount>> {
  if (change.name !== undefined && !isName(change.name)) return refuse(NAME_FAULT);
  const { name, lowBalanceKobo } = change;
  const details = {
    ...(name !== undefined && { name: name.trim() }),
    ...(change.defaultSender !== undefined && { default_sender: change.defaultSender }),
    ...(lowBalanceKobo !== undefined && {
      low_balance: lowBalanceKobo === null ? null : koboToNaira(lowBalanceKobo),
    }),
  };
  return alter(manager, id, (account) => ({
    account: { ...account, ...change, name: (name ?? account.name).trim() },
    entry: { actor, action: "account.change", subject: encodeId("acc", id), details },
  }));
}

/**
 * Suspends an account: its keys are refused everywhere within 5 s and its unsent orders fail; nothing is deleted. A repeat changes
 * nothing. Errors: `not_found`.
 */
export const suspendAccount = (manager: AccountManager, actor: Actor, id: Uuid, reason: string) =>
  alter(manager, id, (account) =>
    account.suspendedAt
      ? undefined
      : {
          account: { ...account, suspendedAt: manager.clock.now() },
          entry: { actor, action: "account.suspend", subject: encodeId("acc", id), reason },
        },
  );

/** Undoes a suspension. A repeat changes nothing. Errors: `not_found`. */
export const resumeAccount = (manager: AccountManager, actor: Actor, id: Uuid) =>
  alter(manager, id, (account) =>
    account.suspendedAt
      ? {
          account: { ...account, suspendedAt: null },
          entry: { actor, action: "account.resume", subject: encodeId("acc", id) },
        }
      : undefined,
  );

type Altered = { readonly account: StoredAccount; readonly entry: Parameters<typeof audit>[1] };

/** Changes the account as `decide` says, if it does; resolves with the resulting account. */
async function alter(
  { db }: AccountManager,
  id: Uuid,
  decide: (account: StoredAccount) => Altered | undefined,
): Promise<Result<StoredAccount>> {
  return db.transaction(async (tx) => {
    const before = await lockAccount(tx, id);
    if (!before) return refuse(refusal("not_found", `There is no account ${encodeId("acc", id)}.`));
    const altered = decide(before);
    if (!altered) return ok(before);
    await updateAccount(tx, altered.account);
    await audit(tx, altered.entry);
    await announceChange(tx);
    return ok(altered.account);
  });
}

const isName = (name: string): boolean => name.trim().length >= 1 && name.trim().length <= NAME_LENGTH_MAX;

const NAME_FAULT = refusal("validation_failed", `An account's name has 1 to ${NAME_LENGTH_MAX} characters.`, {
  errors: [{ pointer: "/name", code: "out_of_range", detail: `1 to ${NAME_LENGTH_MAX} characters.` }],
});
