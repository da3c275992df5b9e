import { findAccount } from "../accounts/accounts.repo.ts";
import { type Actor, audit } from "../accounts/audit.repo.ts";
import type { Database, Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo, koboForPeople, koboToNaira } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { moneyOf } from "../kernel/money.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { invariant, ok, type Result, refuse } from "../kernel/result.ts";
import { lockWallet, postTransfer, readWallet, type WalletBalance } from "../ledger/ledger.repo.ts";
import { nameTransfer } from "./manual-transfers.repo.ts";

export interface ManualTransfer {
  readonly kind: "credit" | "debit";
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly amountKobo: Kobo;
  /** Shown in the subscriber's statement and the audit log. */
  readonly reason: string;
  /** The operator's own ID, e.g. from the bank statement: the same ID moves money once, over all accounts. */
  readonly name: string | undefined;
}

export interface Moved {
  readonly id: Uuid;
  /** The transfer already existed under the same ID; nothing was moved now. */
  readonly repeated: boolean;
  readonly wallet: WalletBalance;
}

/** ₦1 billion: anything larger is a typing error. */
const AMOUNT_KOBO_MAX = kobo(100_000_000_000n);
const REASON_LENGTH_MAX = 500;
const NAME = /^[\x21-\x7e]{1,100}$/;

/**
 * The operator's credit to or debit from a wallet, with a reason, audited in the same transaction.
 * Errors: `not_found`, `validation_failed`, `insufficient_balance`, `reference_already_used`.
 */
export async function moveByHand(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  actor: Actor,
  transfer: ManualTransfer,
): Promise<Result<Moved>> {
  const { kind, accountId, mode, amountKobo, name } = transfer;
  const reason = transfer.reason.trim();
  const fault = faultOf({ ...transfer, reason });
  if (fault !== undefined) return refuse(refusal("validation_failed", fault));
  const account = encodeId("acc", accountId);
  if (!(await findAccount(db, accountId))) return refuse(refusal("not_found", `There is no account ${account}.`));
  const id = newUuid();
  try {
    const repeated = await db.transaction(async (tx) => {
      const earlier = name === undefined ? undefined : await nameTransfer(tx, { accountId, mode, name, id });
      if (earlier) {
        const isHere = earlier.accountId === accountId && earlier.mode === mode;
        if (isHere && earlier.kind === kind && earlier.amountKobo === amountKobo) return earlier.id;
        throw new Refused(
          refusal(
            "reference_already_used",
            `"${name}" was a ${earlier.kind} of ${koboForPeople(earlier.amountKobo)} to the ${earlier.mode} wallet of ${encodeId("acc", earlier.accountId)}. Nothing was moved; use another --id for another payment.`,
          ),
        );
      }
      await lockWallet(tx, accountId, mode);
      const { availableKobo } = await walletOf(tx, accountId, mode);
      if (kind === "debit" && availableKobo < amountKobo)
        throw new Refused(
          refusal(
            "insufficient_balance",
            `${koboForPeople(availableKobo)} is available; a wallet can't be overdrawn. What is held for orders can't be taken.`,
            { members: { available: moneyOf(availableKobo) } },
          ),
        );
      const [debit, credit] = kind === "credit" ? ["funding", "wallet"] : ["wallet", "funding"];
      await postTransfer(tx, {
        accountId,
        id,
        mode,
        kind,
        debit: debit!,
        credit: credit!,
        amountKobo,
        reason,
        at: clock.now(),
      });
      await audit(tx, {
        actor,
        action: `wallet.${kind}`,
        subject: account,
        reason,
        details: { mode, amount: koboToNaira(amountKobo), transfer: encodeId("trf", id), id: name ?? null },
      });
      return undefined;
    });
    return ok({ id: repeated ?? id, repeated: repeated !== undefined, wallet: await walletOf(db, accountId, mode) });
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal);
    throw error;
  }
}

/** Thrown to roll back the transaction. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refused: Refusal) {
    super(refused.detail);
    this.refusal = refused;
  }
}

async function walletOf(db: Db, accountId: Uuid, mode: Mode): Promise<WalletBalance> {
  const wallet = await readWallet(db, accountId, mode);
  invariant(wallet, "an account has its wallets from the beginning");
  return wallet;
}

function faultOf({ amountKobo, reason, name }: ManualTransfer): string | undefined {
  if (amountKobo <= 0n) return "The amount must be more than nothing.";
  if (amountKobo > AMOUNT_KOBO_MAX) return `At most ${koboForPeople(AMOUNT_KOBO_MAX)} at once.`;
  if (reason.length === 0) return "Give a reason: it stands in the subscriber's statement and in the audit log.";
  if (reason.length > REASON_LENGTH_MAX) return `A reason has at most ${REASON_LENGTH_MAX} characters.`;
  if (name !== undefined && !NAME.test(name)) return "An --id has 1 to 100 printable ASCII characters and no spaces.";
  return undefined;
}
