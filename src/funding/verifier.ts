import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { FundingProvider, PaidBy, Verification } from "../ports/funding.ts";
import { keep, settle } from "./credit.ts";
import {
  accountPaidTo,
  askAgain,
  claimDue,
  type DuePayment,
  endUncredited,
  insertReported,
  lockPayment,
} from "./payments.repo.ts";
import { askAgainAfterSeconds, UNCONFIRMED_SECONDS_MAX } from "./topup.ts";
import { expireAnnounced, expireTopup } from "./topups.repo.ts";

/**
 * Queries the provider about payments: about reported ones at once, about unreported payment pages at intervals. Only its answer
 * credits a wallet (docs/adr/0014).
 */
export interface Verifier {
  /** Resolves once the report is committed; the query follows by itself. */
  reported(reference: string): Promise<void>;
  start(): void;
  stop(): Promise<void>;
  /** Queries everything due now. For tests with their own clock. */
  runOnce(): Promise<void>;
}

export interface VerifierOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly provider: FundingProvider;
}

const EVERY_MS = 1_000;
const TOGETHER_MAX = 20;
/** Longer than any query takes: a node that dies with a claim delays the payment by this much. */
const LEASE_MS = 120_000;

export function makeVerifier({ db, clock, log, provider }: VerifierOptions): Verifier {
  const later = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000);

  const askLater = (payment: DuePayment, detail: string): Promise<void> => {
    let dueAt = later(askAgainAfterSeconds(payment.state, payment.tries));
    // A page is queried once more when it expires.
    if (payment.expiresAt && payment.expiresAt > clock.now() && payment.expiresAt < dueAt) dueAt = payment.expiresAt;
    return askAgain(db, payment, dueAt, detail);
  };

  /** Keeps it for the operator, unless a report has arrived meanwhile. */
  const keepIt = (payment: DuePayment, why: string, paidBy: PaidBy = {}) =>
    db.transaction(async (tx) => {
      const locked = await lockPayment(tx, payment.provider, payment.reference);
      if (locked?.state !== payment.state) return;
      if (locked.accountId !== null && locked.topupId !== null)
        await expireTopup(tx, locked.accountId, locked.topupId, clock.now());
      const owner = await accountPaidTo(tx, payment.provider, paidBy);
      await keep(tx, { ...locked, accountId: locked.accountId ?? owner?.accountId ?? null }, why);
      log.error(
        { provider: provider.name, reference: payment.reference },
        "a payment waits for the operator: see ./afara topups kept",
      );
    });

  const giveUp = (payment: DuePayment, detail: string) =>
    db.transaction(async (tx) => {
      const locked = await lockPayment(tx, payment.provider, payment.reference);
      if (locked?.state !== "awaited") return; // reported meanwhile
      await endUncredited(tx, locked, "given_up", detail);
      if (locked.accountId !== null && locked.topupId !== null)
        await expireTopup(tx, locked.accountId, locked.topupId, clock.now());
    });

  /** The provider certainly received no payment so far. */
  const unpaid = (payment: DuePayment, detail: string): Promise<void> => {
    const now = clock.now().getTime();
    if (payment.state === "awaited")
      return payment.expiresAt && payment.expiresAt.getTime() > now
        ? askLater(payment, detail)
        : giveUp(payment, detail);
    const reportedMs = payment.reportedAt?.getTime() ?? now;
    return now - reportedMs < UNCONFIRMED_SECONDS_MAX * 1_000
      ? askLater(payment, detail)
      : keepIt(payment, `reported as paid, but not confirmed: ${detail}`);
  };

  const apply = async (payment: DuePayment, answer: Verification): Promise<void> => {
    switch (answer.kind) {
      case "paid": {
        const done = await settle(db, clock, payment, answer);
        if (done === "kept")
          log.error({ provider: provider.name, reference: payment.reference }, "a payment belongs to no account");
        return;
      }
      case "not_creditable":
        return keepIt(payment, answer.detail, answer);
      case "reversed":
        return keepIt(payment, answer.detail);
      case "unpaid":
        return unpaid(payment, answer.detail);
      case "not_found":
        return unpaid(payment, "not found");
      case "unknown":
        log.warn({ provider: provider.name, reference: payment.reference, answer: answer.answer }, "asked in vain");
        return askLater(payment, answer.detail);
    }
  };

  const asking = new Set<Promise<void>>();

  const ask = async (payment: DuePayment): Promise<void> => {
    try {
      await apply(payment, await provider.verify(payment.reference));
    } catch (error) {
      log.warn(
        { reference: payment.reference, error: (error as Error).message },
        "a payment will be asked about again",
      );
    }
  };

  /** Starts due queries up to the concurrency limit. An unanswered one delays no other. */
  const askAllDue = async (): Promise<number> => {
    await expireAnnounced(db, clock.now());
    const room = TOGETHER_MAX - asking.size;
    if (room <= 0) return 0;
    const now = clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const due = await claimDue(db, { provider: provider.name, now, until, limit: room });
    for (const payment of due) {
      const question = ask(payment).finally(() => asking.delete(question));
      asking.add(question);
    }
    return due.length;
  };

  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> | undefined;
  const tick = () => {
    underWay ??= askAllDue()
      .catch((error: Error) => log.warn({ error: error.message }, "questions about payments will be tried again"))
      .finally(() => {
        underWay = undefined;
      });
  };

  return {
    reported: (reference) => insertReported(db, provider.name, reference, clock.now()),
    async runOnce() {
      for (let asked = TOGETHER_MAX; asked === TOGETHER_MAX; ) {
        asked = await askAllDue();
        await Promise.all(asking);
      }
    },
    start() {
      provider.start?.();
      tick();
      timer = setInterval(tick, EVERY_MS);
    },
    async stop() {
      clearInterval(timer);
      provider.stop?.();
      await underWay;
      await Promise.all(asking);
    },
  };
}
