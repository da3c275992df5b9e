import { type Contract, DENIED, failed, gap } from "../vendors/contract.ts";
import { SETTINGS } from "./settings.ts";

const NO_CALLBACKS = gap("BuyPower calls nobody back");

export const CONTRACT: Contract = {
  settings: { token: SETTINGS.token, checkSignature: true },
  products: ["electricity"],
  vendPath: /\/vend$/,
  ends: {
    // It has no word for a reversal and calls nobody back: reconciliation finds it.
    delivered_then_reversed: { state: "successful", vendor: "reversed" },
    failed_then_delivered: failed("vendor_failed", { vendor: "delivered" }),
    // It only says that it has our orderId, of which it then knows nothing.
    duplicate: { ...DENIED, vendor: "nothing" },
    // Its refusals for amounts have no code of their own, so it is asked about, and has nothing.
    below_minimum: failed("no_route"),
    // The customer's meter is moving to another system.
    product_down: failed("vendor_failed", { final: true }),
    callback_twice: NO_CALLBACKS,
    callback_out_of_order: NO_CALLBACKS,
    callback_forged: NO_CALLBACKS,
    callback_replayed: NO_CALLBACKS,
    callback_missing: NO_CALLBACKS,
    callback_late: NO_CALLBACKS,
  },
};
