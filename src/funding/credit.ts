import { type Actor, audit } from "../accounts/audit.repo.ts";
import type { Database, Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import { type Kobo, koboToNaira } from "../kernel/kobo.ts";
import { openLedgerAccounts, postTransfer, topUpReason } from "../ledger/ledger.repo.ts";
import type { Verification } from "../ports/funding.ts";
import { accountPaidTo, endCredited, endUncredited, lockPayment, type Payment } from "./payments.repo.ts";
import { amountDiffers, type Topup } from "./topup.ts";
import { completeTopup, insertToppedUp, insertTopup, lockAnnounced, lockTopup } from "./topups.repo.ts";

/** Payment states that are final whatever the provider reports. */
const DECIDED: readonly Payment["state"][] = ["credited", "kept", "closed"];

export type Paid = Extract<Verification, { kind: "paid" }>;

/** Credits a wallet: the top-up's state, the transfer, the event and the audit entry are committed together. */
export async function creditTopup(
  db: Db,
  topup: Topup,
  paid: { readonly amountKobo: Kobo; readonly actor: Actor; readonly at: Date; readonly reference?: string },
): Promise<void> {
  const { amountKobo, at } = paid;
  const id = encodeId("trf", topup.id);
  const differs = amountDiffers({ requestedKobo: topup.requestedKobo, paidKobo: amountKobo });
  const amounts = {
    paid: koboToNaira(amountKobo),
    ...(topup.requestedKobo !== null && { requested: koboToNaira(topup.requestedKobo) }),
    ...(differs && { amount_differs: true }),
  };
  await completeTopup(db, topup, amountKobo, at);
  await insertToppedUp(db, topup, { id: newUuid(), at, detail: amounts });
  await openLedgerAccounts(db, topup.accountId, topup.mode, ["wallet", "funding"]);
  await postTransfer(db, {
    accountId: topup.accountId,
    id: topup.id,
    mode: topup.mode,
    kind: "credit",
    debit: "funding",
    credit: "wallet",
    amountKobo,
    reason: topUpReason(topup.id),
    at,
  });
  await audit(db, {
    actor: paid.actor,
    action: "wallet.top_up",
    subject: id,
    details: {
      account: encodeId("acc", topup.accountId),
      mode: topup.mode,
      method: topup.method,
      ...amounts,
      ...(paid.reference !== undefined && { reference: paid.reference }),
    },
  });
}

/**
 * Credits a confirmed payment once, however often it is confirmed. One without a known account is kept for the operator.
 */
export function settle(
  db: Database,
  clock: Clock,
  { provider, reference }: Pick<Payment, "provider" | "reference">,
  paid: Paid,
): Promise<"credited" | "repeated" | "kept"> {
  return db.transaction(async (tx) => {
    const payment = await lockPayment(tx, provider, reference);
    if (!payment || DECIDED.includes(payment.state)) return "repeated";
    const topup = await topupOf(tx, payment, paid, clock.now());
    if (!topup) {
      await keep(
        tx,
        payment,
        "no account has the number that was paid to, or is the customer who paid",
        paid.amountKobo,
      );
      return "kept";
    }
    await endCredited(tx, payment, topup, paid.amountKobo);
    await creditTopup(tx, topup, {
      amountKobo: paid.amountKobo,
      actor: { kind: "system" },
      at: clock.now(),
      reference: payment.reference,
    });
    return "credited";
  });
}

/** A payment, certain or possible, that no rule can credit: a person must decide. */
export async function keep(db: Db, payment: Payment, why: string, paid?: Kobo): Promise<void> {
  await endUncredited(db, payment, "kept", why, paid);
  await audit(db, {
    actor: { kind: "system" },
    action: "wallet.payment_kept",
    subject: payment.reference,
    details: {
      provider: payment.provider,
      ...(payment.accountId !== null && { account: encodeId("acc", payment.accountId) }),
      ...(paid !== undefined && { paid: koboToNaira(paid) }),
    },
    reason: why,
  });
}

/** A payment's top-up: the payment page's, the announced transfer's, or a new one for an unannounced transfer. */
async function topupOf(db: Db, payment: Payment, paid: Paid, now: Date): Promise<Topup | undefined> {
  if (payment.accountId !== null && payment.topupId !== null) return lockTopup(db, payment.accountId, payment.topupId);
  const owner = await accountPaidTo(db, payment.provider, paid);
  if (!owner) return undefined;
  const announced = await lockAnnounced(db, owner.accountId, "live", paid.amountKobo);
  if (announced) return announced;
  const { bank, accountNumber, accountName } = owner.account;
  const topup: Topup = {
    accountId: owner.accountId,
    id: newUuid(),
    mode: "live",
    method: "bank_transfer",
    state: "pending",
    requestedKobo: null,
    paidKobo: null,
    instructions: { bank, accountNumber, accountName },
    expiresAt: now,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
  };
  await insertTopup(db, topup);
  return topup;
}
