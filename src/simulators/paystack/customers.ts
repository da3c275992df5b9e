import { no, ok, type VendorCall } from "./answers.ts";
import type { Customer } from "./bank.ts";
import { listed } from "./lists.ts";
import { accountView, BANKS, customerView } from "./views.ts";
import type { PaystackWorld, Reply } from "./world.ts";

const textsOf = ({ first_name, last_name, phone }: VendorCall["body"]) => ({
  ...(typeof first_name === "string" && { firstName: first_name }),
  ...(typeof last_name === "string" && { lastName: last_name }),
  ...(typeof phone === "string" && { phone }),
});

const NO_CUSTOMER = no(404, "Customer not found", "not_found");

const shown = (customer: Customer) => ({
  ...customerView(customer),
  dedicated_account: customer.accountNumber === undefined ? null : accountView(customer),
});

/** /customer: made, read by code, e-mail or id, listed, changed, identified. */
export function customers(simulator: PaystackWorld, call: VendorCall, [name, more]: readonly string[]): Reply {
  const { bank } = simulator;
  const { method, body, query } = call;
  const found = name
    ? bank.customerBy(({ code, email, id }) => code === name || email === name || String(id) === name)
    : undefined;
  if (!name) {
    if (method === "GET")
      return listed("Customers retrieved", [...bank.customers.values()].reverse().map(shown), query);
    if (method !== "POST") return undefined;
    if (typeof body.email !== "string" || !body.email.includes("@"))
      return no(400, "Email is required", "missing_params");
    return ok("Customer created", customerView(bank.customer(body.email, textsOf(body))));
  }
  if (!found) return NO_CUSTOMER;
  if (method === "GET" && more === undefined) return ok("Customer retrieved", shown(found));
  if (method === "PUT" && more === undefined) {
    Object.assign(found, textsOf(body));
    return ok("Customer updated", customerView(found));
  }
  if (method === "POST" && more === "identification")
    return { status: 202, body: { status: true, message: "Customer Identification in progress" } };
  return undefined;
}

/** /dedicated_account: an account number for a customer. */
export function dedicatedAccounts(simulator: PaystackWorld, call: VendorCall, [name]: readonly string[]): Reply {
  const { bank } = simulator;
  const { method, body, query } = call;
  const account = (customer: Customer) => ({ ...accountView(customer), customer: customerView(customer) });
  const opened = [...bank.customers.values()].filter(({ accountNumber }) => accountNumber !== undefined).map(account);
  if (method === "GET" && name === "available_providers") return ok("Dedicated account providers retrieved", BANKS);
  if (name) {
    const found = opened.find(({ id }) => String(id) === name);
    if (!found) return no(404, "Dedicated account not found", "not_found");
    if (method === "GET") return ok("Customer retrieved", found);
    if (method !== "DELETE") return undefined;
    bank.closeAccount(found.customer.customer_code);
    return ok("Managed Account Successfully Unassigned", { ...found, assigned: false, active: false });
  }
  if (method === "GET") return listed("Managed accounts successfully retrieved", opened, query);
  if (method !== "POST") return undefined;
  const customer = bank.customerBy(({ code, id }) => code === body.customer || String(id) === String(body.customer));
  if (!customer) return no(400, "Customer not found", "not_found");
  if (customer.accountNumber !== undefined)
    return no(400, "Customer already has a dedicated account", "account_already_exists");
  bank.openAccount(customer);
  return ok("NUBAN successfully created", account(customer));
}
