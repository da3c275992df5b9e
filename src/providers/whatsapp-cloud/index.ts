import { ok } from "../../kernel/result.ts";
import type { ProviderDefinition } from "../../ports/provider.ts";
import { WhatsappCloudProvider } from "./adapter.ts";
import { readSettings } from "./settings.ts";

/** Meta's WhatsApp Cloud API: business chat. Settings: docs/providers/whatsapp-cloud.md. */
export const whatsappCloud: ProviderDefinition = {
  adapter: "whatsapp-cloud",
  simulator: "whatsapp",
  build(name, settings, deps) {
    const checked = readSettings(settings);
    return checked.ok ? ok(new WhatsappCloudProvider(name, checked.value, deps)) : checked;
  },
};
