import { ok } from "../../kernel/result.ts";
import type { ProviderDefinition } from "../../ports/provider.ts";
import { ReloadlyProvider } from "./adapter.ts";
import { readSettings } from "./settings.ts";
import { STATEMENT } from "./statement.ts";

/** Airtime and data through Reloadly. Settings: docs/providers/reloadly.md. */
export const reloadly: ProviderDefinition = {
  adapter: "reloadly",
  simulator: "reloadly",
  statement: STATEMENT,
  build(name, settings, deps) {
    const checked = readSettings(settings);
    return checked.ok ? ok(new ReloadlyProvider(name, checked.value, deps)) : checked;
  },
};
