import type { FundingDefinition } from "./funding.ts";
import { paystack } from "./paystack/index.ts";
import type { ProviderDefinition } from "./provider.ts";
import { smpp } from "./smpp/index.ts";

/** One line per vendor protocol, in alphabetical order. Routing is configuration, not code. */
export const PROVIDERS: readonly ProviderDefinition[] = [smpp];

/** Those who bring money in are a port of their own. */
export const FUNDING_PROVIDERS: readonly FundingDefinition[] = [paystack];
