import { AIRTIME } from "../airtime/airtime.definition.ts";
import { CHAT } from "../chat/chat.definition.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import { ELECTRICITY } from "../electricity/electricity.definition.ts";
import type { IdPrefix } from "../kernel/ids.ts";
import type { HoldRule } from "../ledger/ledger.repo.ts";
import type { ServiceDefinition } from "../orders/service-definition.ts";
import { SMS } from "../sms/sms.definition.ts";

/** Every service, one line each. */
export const SERVICES: readonly ServiceDefinition[] = [SMS, AIRTIME, ELECTRICITY, CHAT];

/** The configuration with the services that this gateway has the code of: the others can't be subscribed to. */
export const onOffer = (file: ConfigFile): ConfigFile => ({
  ...file,
  services: Object.fromEntries(
    Object.entries(file.services).filter(([name]) => SERVICES.some(({ service }) => service === name)),
  ),
});

/** Prefix of the order ids of each service. */
export const ID_PREFIXES: ReadonlyMap<string, IdPrefix> = new Map(
  SERVICES.map(({ service, idPrefix }) => [service, idPrefix]),
);

/** Where holds must be, state by state: what the ledger's proof goes by. */
export const HOLD_RULES: readonly HoldRule[] = SERVICES.flatMap(({ service, table }) =>
  Object.entries(table.states).map(([state, { hold }]) => ({ service, state, hold })),
);
