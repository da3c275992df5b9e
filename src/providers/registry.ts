import type { ProviderDefinition } from "./provider.ts";
import { smpp } from "./smpp/index.ts";

/** One line per vendor protocol, in alphabetical order. Routing is configuration, not code. */
export const PROVIDERS: readonly ProviderDefinition[] = [smpp];
