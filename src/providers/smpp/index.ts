import { ok } from "../../kernel/result.ts";
import type { ProviderDefinition } from "../../ports/provider.ts";
import { SmppProvider } from "./adapter.ts";
import { readSettings } from "./settings.ts";

/** Any SMSC that speaks SMPP 3.4. Settings: docs/providers/smpp.md. */
export const smpp: ProviderDefinition = {
  adapter: "smpp",
  simulator: "smsc",
  build(name, settings, deps) {
    const checked = readSettings(settings);
    return checked.ok ? ok(new SmppProvider(name, checked.value, deps)) : checked;
  },
};
