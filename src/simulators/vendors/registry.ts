import { invariant } from "../../kernel/result.ts";
import { buypower } from "../buypower/index.ts";
import { reloadly } from "../reloadly/index.ts";
import { vtpass } from "../vtpass/index.ts";
import { whatsapp } from "../whatsapp/index.ts";
import type { VendorSimulator } from "./vendor.ts";

/** One line per vendor, in alphabetical order. */
export const VENDORS: readonly VendorSimulator[] = [buypower, reloadly, vtpass, whatsapp];

/** The vendors that vend. */
export const SELLERS = VENDORS.flatMap(({ name, contract }) => (contract ? [{ name, ...contract }] : []));

/** The vendor that carries chat in test mode. */
export const CHAT = chatVendor();

function chatVendor() {
  const [found] = VENDORS.flatMap(({ name, chat }) => (chat ? [{ name, ...chat }] : []));
  invariant(found, "a simulated vendor carries chat");
  return found;
}
