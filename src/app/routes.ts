import { CHAT } from "../chat/chat.definition.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import { queueOf } from "../orders/order.ts";
import type { OrdersOptions } from "../orders/orders.ts";
import type { Provider } from "../ports/provider.ts";
import { SMS } from "../sms/sms.definition.ts";

/** The configured routes, as the engine takes them. */
export const routesOf = ({ routes }: ConfigFile, providers: ReadonlyMap<string, Provider>): OrdersOptions["routes"] =>
  routes.map((route) => ({
    provider: providers.get(route.provider)!,
    settings: {
      name: route.provider,
      ...reachOf(route),
      weight: route.weight ?? 1,
      window: route.window,
      ratePerSecond: route.ratePerSecond,
    },
  }));

/** Routes of SMS also take the fallback SMS of chat messages, which remain orders of chat. */
function reachOf({ service, modes, only }: ConfigFile["routes"][number]) {
  const services = service === SMS.service ? [SMS.service, CHAT.service] : [service];
  const channel = service === SMS.service || service === CHAT.service ? { channel: [service] } : {};
  return {
    queues: services.flatMap((one) => modes.map((mode) => queueOf(one, mode))),
    only: { ...only, ...channel },
  };
}
