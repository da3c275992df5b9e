import { randomBytes, randomInt } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";

/** What Paystack has written down: customers, account numbers, transactions. Amounts are kobo, as on its wire. */
export interface Customer {
  readonly id: number;
  readonly code: string;
  readonly email: string;
  firstName: string;
  lastName: string;
  phone: string | null;
  accountNumber: string | undefined;
}

export interface Transaction {
  readonly id: number;
  readonly reference: string;
  readonly accessCode: string;
  readonly customer: Customer;
  readonly requestedAmount: number;
  readonly channel: "card" | "dedicated_nuban";
  readonly createdAt: Date;
  /** What the caller gave along; "" where that is nothing. */
  readonly metadata: unknown;
  amount: number;
  currency: string;
  fees: number | null;
  status: string;
  paidAt: Date | null;
}

export class Bank {
  readonly #clock: Clock;
  readonly customers = new Map<string, Customer>();
  readonly transactions = new Map<string, Transaction>();
  /** Begins anywhere, so that several simulators give out numbers of their own. */
  #lastId = randomInt(1_000_000, 900_000_000);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An e-mail address that is known already is the same customer. A payment page opens one without a name, which comes later. */
  customer(email: string, names: { firstName?: string; lastName?: string; phone?: string } = {}): Customer {
    const known = this.customers.get(email);
    if (known) {
      known.firstName ||= names.firstName ?? "";
      known.lastName ||= names.lastName ?? "";
      known.phone ??= names.phone ?? null;
      return known;
    }
    const id = this.#nextId();
    const customer: Customer = {
      id,
      code: `CUS_sim${id}`,
      email,
      firstName: names.firstName ?? "",
      lastName: names.lastName ?? "",
      phone: names.phone ?? null,
      accountNumber: undefined,
    };
    this.customers.set(email, customer);
    return customer;
  }

  customerBy(match: (customer: Customer) => boolean): Customer | undefined {
    return [...this.customers.values()].find(match);
  }

  openAccount(customer: Customer): string {
    customer.accountNumber ??= String(9_000_000_000 + customer.id);
    return customer.accountNumber;
  }

  closeAccount(customerCode: string): void {
    const customer = this.customerBy(({ code }) => code === customerCode);
    if (customer) customer.accountNumber = undefined;
  }

  /** Undefined when the reference was used before. A transaction begins as `abandoned`: nobody has opened its page. */
  initialise(
    reference: string,
    customer: Customer,
    amount: number,
    currency: string,
    metadata: unknown = "",
  ): Transaction | undefined {
    if (this.transactions.has(reference)) return undefined;
    const state = { channel: "card", status: "abandoned", paidAt: null } as const;
    return this.#add({ reference, customer, amount, currency, metadata, ...state });
  }

  /** For a caller that gives none. */
  newReference(): string {
    return randomBytes(8).toString("hex");
  }

  /** The payer's bank sends money to an account number. */
  transfer(customer: Customer, amount: number, currency: string): Transaction {
    const reference = `T${this.#nextId()}`;
    const paidAt = this.#clock.now();
    const state = { channel: "dedicated_nuban", status: "success", paidAt } as const;
    return this.#add({ reference, customer, amount, currency, metadata: "", ...state });
  }

  pay(transaction: Transaction, paid: { amount?: number; currency?: string; fees?: number }): void {
    transaction.status = "success";
    transaction.paidAt = this.#clock.now();
    transaction.amount = paid.amount ?? transaction.requestedAmount;
    transaction.currency = paid.currency ?? transaction.currency;
    transaction.fees = paid.fees ?? Math.round(transaction.amount * 0.015);
  }

  #add(start: Omit<Transaction, "id" | "accessCode" | "requestedAmount" | "createdAt" | "fees">): Transaction {
    const id = this.#nextId();
    const transaction: Transaction = {
      ...start,
      id,
      accessCode: `sim${id}`,
      requestedAmount: start.amount,
      createdAt: this.#clock.now(),
      fees: null,
    };
    this.transactions.set(transaction.reference, transaction);
    return transaction;
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}
