import { ok } from "../../kernel/result.ts";
import type { ProviderDefinition } from "../../ports/provider.ts";
import { BuypowerProvider } from "./adapter.ts";
import { readSettings } from "./settings.ts";
import { STATEMENT } from "./statement.ts";

/** BuyPower: electricity. Settings: docs/providers/buypower.md. */
export const buypower: ProviderDefinition = {
  adapter: "buypower",
  simulator: "buypower",
  statement: STATEMENT,
  build(name, settings, deps) {
    const checked = readSettings(settings);
    return checked.ok ? ok(new BuypowerProvider(name, checked.value, deps)) : checked;
  },
};
