import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, kobo } from "../kernel/kobo.ts";
import type { BankAccount } from "../ports/funding.ts";

/** A payment that the provider knows by `reference`: from a payment page, or reported by the provider. */
export interface Payment {
  readonly provider: string;
  readonly reference: string;
  readonly state: "awaited" | "reported" | "credited" | "given_up" | "kept" | "closed";
  readonly accountId: Uuid | null;
  readonly topupId: Uuid | null;
  readonly tries: number;
  readonly reportedAt: Date | null;
}

export interface DuePayment extends Payment {
  readonly state: "awaited" | "reported";
  /** Of the payment page. */
  readonly expiresAt: Date | null;
}

interface PaymentRow {
  provider: string;
  reference: string;
  state: Payment["state"];
  account_id: Uuid | null;
  topup_id: Uuid | null;
  tries: number;
  reported_at: Date | null;
}

const paymentOf = (row: PaymentRow): Payment => ({
  provider: row.provider,
  reference: row.reference,
  state: row.state,
  accountId: row.account_id,
  topupId: row.topup_id,
  tries: row.tries,
  reportedAt: row.reported_at,
});

export async function insertAwaited(
  db: Db,
  payment: { provider: string; reference: string; accountId: Uuid; topupId: Uuid; createdAt: Date; dueAt: Date },
): Promise<void> {
  await db.query(
    `insert into funding_payments (provider, reference, state, account_id, topup_id, due_at, created_at)
     values ($1, $2, 'awaited', $3, $4, $5, $6)`,
    [payment.provider, payment.reference, payment.accountId, payment.topupId, payment.dueAt, payment.createdAt],
  );
}

/** Records a reported payment. A repeat, or a report about a decided payment, changes nothing. */
export async function insertReported(db: Db, provider: string, reference: string, at: Date): Promise<void> {
  await db.query(
    `insert into funding_payments as p (provider, reference, state, due_at, reported_at, created_at)
     values ($1, $2, 'reported', $3, $3, $3)
     on conflict (provider, reference) do update set state = 'reported', due_at = $3, reported_at = $3, tries = 0
      where p.state in ('awaited', 'given_up')`,
    [provider, reference, at],
  );
}

/** Claims payments due for a query, each by one node; a dead node's claims are due again at `until`. */
export async function claimDue(
  db: Db,
  { provider, now, until, limit }: { provider: string; now: Date; until: Date; limit: number },
): Promise<readonly DuePayment[]> {
  const { rows } = await db.query<PaymentRow & { state: DuePayment["state"]; expires_at: Date | null }>(
    `with due as (
       select reference from funding_payments where provider = $1 and due_at <= $2 order by due_at limit $4
          for update skip locked)
     update funding_payments p set due_at = $3, tries = p.tries + 1
       from due where p.provider = $1 and p.reference = due.reference
     returning p.*, (select t.expires_at from topups t where t.account_id = p.account_id and t.id = p.topup_id)`,
    [provider, now, until, limit],
  );
  return rows.map((row) => ({ ...paymentOf(row), state: row.state, expiresAt: row.expires_at }));
}

export async function lockPayment(db: Db, provider: string, reference: string): Promise<Payment | undefined> {
  const { rows } = await db.query<PaymentRow>(
    "select * from funding_payments where provider = $1 and reference = $2 for update",
    [provider, reference],
  );
  return rows[0] && paymentOf(rows[0]);
}

/** Schedules the next query, unless a report has made it due already. */
export async function askAgain(db: Db, payment: Payment, dueAt: Date, detail: string): Promise<void> {
  await db.query(
    `update funding_payments set due_at = $3, detail = $4
      where provider = $1 and reference = $2 and state = $5`,
    [payment.provider, payment.reference, dueAt, detail, payment.state],
  );
}

/** Ends the queries. `kept` payments need the operator's decision. */
export async function endUncredited(
  db: Db,
  payment: Payment,
  state: "given_up" | "kept",
  detail: string,
  paid?: Kobo,
): Promise<void> {
  await db.query(
    `update funding_payments set state = $3, due_at = null, detail = $4, paid_kobo = $5, account_id = $6
      where provider = $1 and reference = $2`,
    [payment.provider, payment.reference, state, detail, paid ?? null, payment.accountId],
  );
}

export async function endCredited(
  db: Db,
  payment: Payment,
  topup: { readonly accountId: Uuid; readonly id: Uuid },
  paid: Kobo,
): Promise<void> {
  await db.query(
    `update funding_payments set state = 'credited', due_at = null, detail = null, account_id = $3, topup_id = $4, paid_kobo = $5
      where provider = $1 and reference = $2`,
    [payment.provider, payment.reference, topup.accountId, topup.id, paid],
  );
}

export interface KeptPayment {
  readonly provider: string;
  readonly reference: string;
  /** The account of the paid page or account number; null: unknown. */
  readonly accountId: Uuid | null;
  /** Null: the provider gave no amount, or another currency (see `why`). */
  readonly paidKobo: Kobo | null;
  readonly why: string;
  readonly at: Date;
}

/** Payments that need the operator's decision, oldest first. */
export async function keptPayments(db: Db): Promise<readonly KeptPayment[]> {
  const { rows } = await db.query<{
    provider: string;
    reference: string;
    account_id: Uuid | null;
    paid_kobo: bigint | null;
    detail: string;
    created_at: Date;
  }>("select * from funding_payments where state = 'kept' order by created_at, reference");
  return rows.map(({ provider, reference, account_id: accountId, paid_kobo: paid, detail, created_at: at }) => ({
    provider,
    reference,
    accountId,
    paidKobo: paid === null ? null : kobo(paid),
    why: detail,
    at,
  }));
}

/** False if no payment with this reference is kept. Later reports about it change nothing. */
export async function closeKept(db: Db, reference: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "update funding_payments set state = 'closed' where reference = $1 and state = 'kept'",
    [reference],
  );
  return (rowCount ?? 0) > 0;
}

/** Returns the stored one: another node may have opened it first. */
export async function keepAccount(
  db: Db,
  provider: string,
  accountId: Uuid,
  account: BankAccount,
  at: Date,
): Promise<BankAccount> {
  await db.query(
    `insert into funding_accounts (provider, account_id, customer, account_number, bank, account_name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (provider, account_id) do nothing`,
    [provider, accountId, account.customer, account.accountNumber, account.bank, account.accountName, at],
  );
  return (await findAccount(db, provider, accountId)) ?? account;
}

export async function findAccount(db: Db, provider: string, accountId: Uuid): Promise<BankAccount | undefined> {
  const { rows } = await db.query<{ customer: string; account_number: string; bank: string; account_name: string }>(
    "select * from funding_accounts where provider = $1 and account_id = $2",
    [provider, accountId],
  );
  const row = rows[0];
  return (
    row && {
      customer: row.customer,
      accountNumber: row.account_number,
      bank: row.bank,
      accountName: row.account_name,
    }
  );
}

/** The account of the paid account number, or else of the payer that the provider reports. */
export async function accountPaidTo(
  db: Db,
  provider: string,
  { accountNumber, customer }: { readonly accountNumber?: string; readonly customer?: string },
): Promise<{ readonly accountId: Uuid; readonly account: BankAccount } | undefined> {
  const { rows } = await db.query<{ account_id: Uuid }>(
    `select account_id from funding_accounts where provider = $1 and (account_number = $2 or customer = $3)
      order by (account_number = $2) desc nulls last limit 1`,
    [provider, accountNumber ?? null, customer ?? null],
  );
  const accountId = rows[0]?.account_id;
  const account = accountId && (await findAccount(db, provider, accountId));
  return account && { accountId, account };
}
