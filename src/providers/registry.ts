import type { FundingDefinition } from "../ports/funding.ts";
import type { ProviderDefinition } from "../ports/provider.ts";
import { buypower } from "./buypower/index.ts";
import { paystack } from "./paystack/index.ts";
import { reloadly } from "./reloadly/index.ts";
import { smpp } from "./smpp/index.ts";
import { vtpass } from "./vtpass/index.ts";
import { whatsappCloud } from "./whatsapp-cloud/index.ts";

/** One line per vendor protocol, in alphabetical order. Routing is configuration, not code. */
export const PROVIDERS: readonly ProviderDefinition[] = [buypower, reloadly, smpp, vtpass, whatsappCloud];

/** Those who bring money in are a port of their own. */
export const FUNDING_PROVIDERS: readonly FundingDefinition[] = [paystack];
