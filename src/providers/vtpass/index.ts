import { ok } from "../../kernel/result.ts";
import type { ProviderDefinition } from "../../ports/provider.ts";
import { VtpassProvider } from "./adapter.ts";
import { readSettings } from "./settings.ts";
import { STATEMENT } from "./statement.ts";

/** VTpass; what is bought there is in products.ts. Settings: docs/providers/vtpass.md. */
export const vtpass: ProviderDefinition = {
  adapter: "vtpass",
  simulator: "vtpass",
  statement: STATEMENT,
  build(name, settings, deps) {
    const checked = readSettings(settings);
    return checked.ok ? ok(new VtpassProvider(name, checked.value, deps)) : checked;
  },
};
