import type { PaystackSimulator, Reply } from "./server.ts";
import { accountView, customerView, envelope, refused, transactionView } from "./views.ts";

type Body = Readonly<Record<string, unknown>>;

const ok = (message: string, data: unknown): Reply => ({ status: 200, body: envelope(message, data) });
const no = (status: number, message: string, code: string): Reply => ({ status, body: refused(message, code) });

/** Paystack allows no other characters in a reference of ours. */
const REFERENCE = /^[A-Za-z0-9.=-]+$/;
const CHECKOUT = /^\/checkout\/(\w+)$/;

/** Paystack's own paths, and the page that a payer opens. */
export function vendor(
  simulator: PaystackSimulator,
  method: string,
  path: string,
  body: Body,
  authorization: string | undefined,
): Reply {
  const page = CHECKOUT.exec(path)?.[1];
  if (page !== undefined) return checkout(simulator, method, page);
  if (authorization !== `Bearer ${simulator.options.secretKey}`) return no(401, "Invalid key", "invalid_Key");

  const { bank, domain } = simulator;
  const [, first = "", second = "", third = ""] = path.split("/").map(decodeURIComponent);
  switch (`${method} /${first}`) {
    case "POST /transaction":
      return second === "initialize" ? initialise(simulator, body) : undefined;
    case "GET /transaction": {
      const found = bank.transactions.get(third);
      if (second !== "verify") return undefined;
      return found
        ? ok("Verification successful", transactionView(found, domain))
        : no(404, "Transaction reference not found.", "transaction_not_found");
    }
    case "POST /customer": {
      if (typeof body.email !== "string") return no(400, "Email is required", "missing_params");
      const customer = bank.customer(body.email, {
        ...(typeof body.first_name === "string" && { firstName: body.first_name }),
        ...(typeof body.last_name === "string" && { lastName: body.last_name }),
        ...(typeof body.phone === "string" && { phone: body.phone }),
      });
      return ok("Customer created", customerView(customer));
    }
    case "GET /customer": {
      const customer = bank.customerBy(({ code, email }) => code === second || email === second);
      if (!customer) return no(404, "Customer not found", "not_found");
      const account = customer.accountNumber === undefined ? null : accountView(customer);
      return ok("Customer retrieved", { ...customerView(customer), dedicated_account: account });
    }
    case "POST /dedicated_account": {
      const customer = bank.customerBy(({ code }) => code === body.customer);
      if (!customer) return no(400, "Customer not found", "not_found");
      if (customer.accountNumber !== undefined)
        return no(400, "Customer already has a dedicated account", "account_already_exists");
      bank.openAccount(customer);
      return ok("NUBAN successfully created", { ...accountView(customer), customer: customerView(customer) });
    }
    default:
      return undefined;
  }
}

function initialise(simulator: PaystackSimulator, { email, amount, reference, currency = "NGN" }: Body): Reply {
  if (typeof email !== "string" || !email.includes("@"))
    return no(400, "Invalid Email Address Passed", "invalid_email");
  if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 100)
    return no(400, "Invalid Amount Sent", "invalid_amount");
  if (typeof reference !== "string" || !REFERENCE.test(reference))
    return no(400, "Invalid transaction reference", "invalid_reference");
  const { bank } = simulator;
  const transaction = bank.initialise(reference, bank.customer(email), amount, String(currency));
  if (!transaction) return no(400, "Duplicate Transaction Reference", "duplicate_reference");
  return ok("Authorization URL created", {
    authorization_url: `http://127.0.0.1:${simulator.port}/checkout/${transaction.accessCode}`,
    access_code: transaction.accessCode,
    reference,
  });
}

/** GET shows the page, POST pays. */
function checkout(simulator: PaystackSimulator, method: string, code: string): Reply {
  const transaction = [...simulator.bank.transactions.values()].find(({ accessCode }) => accessCode === code);
  if (!transaction) return { status: 404, body: null, html: "<p>There is no such payment.</p>" };
  if (method === "POST" && transaction.status !== "success") {
    simulator.bank.pay(transaction, {});
    void simulator.report(transaction);
  }
  const content =
    transaction.status === "success"
      ? "<p>Paid.</p>"
      : `<form method="post"><button>Pay NGN ${(transaction.requestedAmount / 100).toFixed(2)}</button></form>`;
  return { status: 200, body: null, html: `<!doctype html><title>Paystack simulator</title>${content}` };
}
