import { buypower } from "../buypower/index.ts";
import { reloadly } from "../reloadly/index.ts";
import { vtpass } from "../vtpass/index.ts";
import { whatsapp } from "../whatsapp/index.ts";
import type { VendorSimulator } from "./vendor.ts";

/** One line per vendor, in alphabetical order. */
export const VENDORS: readonly VendorSimulator[] = [buypower, reloadly, vtpass, whatsapp];
