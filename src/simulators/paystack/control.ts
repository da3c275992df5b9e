import { FAULT_KINDS, type Fault } from "./faults.ts";
import { transactionView } from "./views.ts";
import type { Delivery, PaystackWorld, Reply } from "./world.ts";

type Body = Readonly<Record<string, unknown>>;

const ok = (body: unknown): Reply => ({ status: 200, body });
const wrong = (error: string): Reply => ({ status: 400, body: { error } });

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/**
 * What payers and faults do. Bodies are JSON:
 *   POST /control/pay        {reference, amount?, currency?, fees?, …delivery}      the payer pays on the page
 *   POST /control/transfer   {account_number, amount, currency?, …delivery}         the payer's bank sends money
 *   POST /control/report     {reference, …delivery}                                 the webhook again
 *   POST /control/status     {reference, status}                                    e.g. failed, ongoing, reversed
 *   POST /control/faults     [{path, kind, times}]                                  replaces the faults
 *   POST /control/callback   {url}                                                  where webhooks go
 *   GET  /control/calls, GET /control/transactions
 * Delivery: {times?, delay_ms?, wrong_signature?}. The answer has the gateway's statuses (`delivered`).
 */
export async function control(simulator: PaystackWorld, method: string, path: string, body: Body): Promise<Reply> {
  const { bank, domain } = simulator;
  const transaction = bank.transactions.get(String(body.reference));
  switch (`${method} ${path}`) {
    case "POST /pay": {
      if (!transaction) return wrong("there is no transaction with this reference");
      bank.pay(
        transaction,
        definedOf({ amount: numberOf(body.amount), currency: textOf(body.currency), fees: numberOf(body.fees) }),
      );
      return ok({ delivered: await simulator.report(transaction, deliveryOf(body)) });
    }
    case "POST /transfer": {
      const customer = bank.customerBy(({ accountNumber }) => accountNumber === body.account_number);
      const amount = numberOf(body.amount);
      if (!customer || amount === undefined) return wrong("account_number (one that was opened) and amount are needed");
      const made = bank.transfer(customer, amount, textOf(body.currency) ?? "NGN");
      return ok({ reference: made.reference, delivered: await simulator.report(made, deliveryOf(body)) });
    }
    case "POST /report":
      if (!transaction) return wrong("there is no transaction with this reference");
      return ok({ delivered: await simulator.report(transaction, deliveryOf(body)) });
    case "POST /status":
      if (!transaction || typeof body.status !== "string") return wrong("reference and status are needed");
      transaction.status = body.status;
      return ok({});
    case "POST /faults":
      if (!Array.isArray(body) || !body.every(isFault))
        return wrong(`a list of {path, kind, times}; kinds are ${FAULT_KINDS.join(", ")}`);
      simulator.faults = body.map((fault) => ({ ...fault }));
      return ok({});
    case "POST /callback":
      simulator.callbackUrl = textOf(body.url);
      return ok({});
    case "GET /calls":
      return ok(simulator.calls);
    case "GET /transactions":
      return ok([...bank.transactions.values()].map((each) => transactionView(each, domain)));
    default:
      return undefined;
  }
}

const deliveryOf = (body: Body): Delivery =>
  definedOf({
    times: numberOf(body.times),
    delayMs: numberOf(body.delay_ms),
    wrongSignature: body.wrong_signature === true,
  });

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };
const definedOf = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;

const isFault = (value: unknown): value is Fault => {
  const { path, kind, times } = (value ?? {}) as Partial<Fault>;
  return typeof path === "string" && typeof times === "number" && FAULT_KINDS.some((known) => known === kind);
};
