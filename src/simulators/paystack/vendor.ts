import { no, ok, type VendorCall } from "./answers.ts";
import { customers, dedicatedAccounts } from "./customers.ts";
import { initialise, readTransactions } from "./transactions.ts";
import { BANKS } from "./views.ts";
import type { PaystackWorld, Reply } from "./world.ts";

const CHECKOUT = /^\/checkout\/(\w+)$/;

/** Paystack's own paths, and the page that a payer opens. */
export function vendor(simulator: PaystackWorld, call: VendorCall): Reply {
  const { method, path, authorization } = call;
  const page = CHECKOUT.exec(path)?.[1];
  if (page !== undefined) return checkout(simulator, method, page);
  if (authorization !== `Bearer ${simulator.options.secretKey}`) return no(401, "Invalid key", "invalid_Key");

  const [first, ...rest] = path.split("/").filter(Boolean).map(decodeURIComponent);
  switch (first) {
    case "transaction":
      if (method === "GET") return readTransactions(simulator, call, rest);
      return method === "POST" && rest[0] === "initialize" ? initialise(simulator, call) : undefined;
    case "customer":
      return customers(simulator, call, rest);
    case "dedicated_account":
      return dedicatedAccounts(simulator, call, rest);
    case "balance":
      return method === "GET" && rest.length === 0
        ? ok("Balances retrieved", [{ currency: "NGN", balance: 0 }])
        : undefined;
    case "bank":
      return method === "GET" && rest.length === 0 ? ok("Banks retrieved", BANKS) : undefined;
    default:
      return undefined;
  }
}

/** GET shows the page, POST pays. */
function checkout(simulator: PaystackWorld, method: string, code: string): Reply {
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
