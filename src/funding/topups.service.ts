import type { Actor } from "../accounts/audit.repo.ts";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { type Kobo, koboForPeople } from "../kernel/kobo.ts";
import type { Log } from "../kernel/log.ts";
import type { Mode } from "../kernel/mode.ts";
import { boundsView } from "../kernel/money.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { BankAccount, FundingProvider, Opened } from "../ports/funding.ts";
import { creditTopup } from "./credit.ts";
import { findAccount, insertAwaited, keepAccount } from "./payments.repo.ts";
import { askAgainAfterSeconds, type Instructions, type Topup, type TopupMethod, VALIDITY_SECONDS } from "./topup.ts";
import { accountName, claimKey, findKey, findTopup, insertTopup } from "./topups.repo.ts";

export interface TopupCaller {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly actor: Actor;
}

export interface TopupRequest {
  readonly amountKobo: Kobo;
  readonly method: TopupMethod;
  /** Of the `Idempotency-Key` header, if there is one, and of the request. */
  readonly key: string | undefined;
  readonly fingerprint: Buffer;
}

export interface MadeTopup {
  readonly topup: Topup;
  /** True for a repeated key. */
  readonly replayed: boolean;
}

export interface Topups {
  /** Asks for a way to pay. In test mode nobody has to: the wallet is credited at once. */
  create(caller: TopupCaller, request: TopupRequest): Promise<Result<MadeTopup>>;
}

export interface TopupsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Undefined: only the operator credits live wallets. */
  readonly provider: FundingProvider | undefined;
  readonly minimumKobo: Kobo;
  readonly maximumKobo: Kobo;
}

const NOT_SET_UP = refusal(
  "provider_unavailable",
  "This gateway takes no payments by itself. Ask its operator to credit the wallet.",
  { members: { retryable: false } },
);
const RETRY_AFTER_SECONDS = 5;

/** The reference in the provider's format: Paystack allows no underscore. */
const referenceOf = (id: Uuid): string => encodeId("trf", id).replace("_", "-");

export function makeTopups(options: TopupsOptions): Topups {
  const { db, clock, log, provider, minimumKobo, maximumKobo } = options;
  const opening = new Map<Uuid, Promise<Opened<BankAccount>>>();

  const repeated = async (caller: TopupCaller, id: Uuid, same: boolean): Promise<Result<MadeTopup>> => {
    const topup = same ? await findTopup(db, caller.accountId, caller.mode, id) : undefined;
    return topup
      ? ok({ topup, replayed: true })
      : refuse(
          refusal(
            "idempotency_key_reused",
            "This Idempotency-Key was used for a different request. Use a new key for each top-up.",
          ),
        );
  };

  /** Opened once and stored; concurrent requests open one. */
  const bankAccountOf = async (from: FundingProvider, accountId: Uuid): Promise<Opened<BankAccount>> => {
    const known = await findAccount(db, from.name, accountId);
    if (known) return { kind: "opened", value: known };
    const underWay = opening.get(accountId);
    if (underWay) return underWay;
    const open = (async (): Promise<Opened<BankAccount>> => {
      const opened = await from.openAccount(await payerOf(accountId));
      if (opened.kind === "failed") return opened;
      return { kind: "opened", value: await keepAccount(db, from.name, accountId, opened.value, clock.now()) };
    })().finally(() => opening.delete(accountId));
    opening.set(accountId, open);
    return open;
  };

  const payerOf = async (accountId: Uuid) => ({
    id: encodeId("acc", accountId),
    name: await accountName(db, accountId),
  });

  /**
   * The provider is called before anything is stored: an undisclosed page can't be paid, so a lost answer or a crash leaves
   * nothing behind.
   */
  const waysToPay = async (
    from: FundingProvider,
    { accountId }: TopupCaller,
    { method, amountKobo }: TopupRequest,
    id: Uuid,
  ): Promise<Opened<Instructions>> => {
    if (method === "bank_transfer") {
      const opened = await bankAccountOf(from, accountId);
      if (opened.kind === "failed") return opened;
      const { bank, accountNumber, accountName } = opened.value;
      return { kind: "opened", value: { bank, accountNumber, accountName } };
    }
    const link = await from.createLink({ reference: referenceOf(id), amountKobo, payer: await payerOf(accountId) });
    return link.kind === "failed" ? link : { kind: "opened", value: { url: link.value } };
  };

  return {
    async create(caller, request) {
      const { accountId, mode } = caller;
      const { amountKobo, method, fingerprint } = request;
      const claim = request.key === undefined ? undefined : { accountId, mode, key: request.key, fingerprint };
      const spent = claim && (await findKey(db, claim));
      if (spent) return repeated(caller, spent.targetId, spent.fingerprint.equals(fingerprint));
      if (amountKobo < minimumKobo || amountKobo > maximumKobo)
        return refuse(
          refusal(
            "amount_out_of_bounds",
            `A top-up is from ${koboForPeople(minimumKobo)} to ${koboForPeople(maximumKobo)}.`,
            { members: boundsView({ minimumKobo, maximumKobo }) },
          ),
        );

      const id = newUuid();
      let instructions: Instructions = {};
      if (mode === "live") {
        if (!provider) return refuse(NOT_SET_UP);
        const opened = await waysToPay(provider, caller, request, id);
        if (opened.kind === "failed") {
          log.warn({ provider: provider.name, detail: opened.detail }, "no way to pay was opened");
          return refuse(
            refusal("provider_unavailable", "The payment vendor gives no way to pay now. Nothing was made.", {
              retryAfterSeconds: RETRY_AFTER_SECONDS,
              internal: opened.detail,
            }),
          );
        }
        instructions = opened.value;
      }

      const now = clock.now();
      const topup: Topup = {
        accountId,
        id,
        mode,
        method,
        state: "pending",
        requestedKobo: amountKobo,
        paidKobo: null,
        instructions,
        expiresAt: after(now, VALIDITY_SECONDS[method]),
        createdAt: now,
        updatedAt: now,
        completedAt: null,
      };
      const taken = await db.transaction(async (tx) => {
        const claimed = claim && (await claimKey(tx, claim, id));
        if (claimed?.kind === "spent") return claimed;
        await insertTopup(tx, topup);
        if (mode === "test") await creditTopup(tx, topup, { amountKobo, actor: caller.actor, at: now });
        else if (provider && method === "link")
          await insertAwaited(tx, {
            provider: provider.name,
            reference: referenceOf(id),
            accountId,
            topupId: id,
            createdAt: now,
            dueAt: after(now, askAgainAfterSeconds("awaited", 1)),
          });
        return undefined;
      });
      if (taken) return repeated(caller, taken.targetId, taken.fingerprint.equals(fingerprint));
      return ok({ topup: (await findTopup(db, accountId, mode, id)) ?? topup, replayed: false });
    },
  };
}

const after = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1_000);
