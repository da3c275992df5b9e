import { AIRTIME } from "../airtime/airtime.definition.ts";
import { CABLE } from "../cable/cable.definition.ts";
import { CHAT } from "../chat/chat.definition.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import { ELECTRICITY } from "../electricity/electricity.definition.ts";
import type { IdPrefix } from "../kernel/ids.ts";
import type { HoldRule } from "../ledger/ledger.repo.ts";
import type { ServiceDefinition } from "../orders/service-definition.ts";
import { SMS } from "../sms/sms.definition.ts";

/** Every service, one line each; its door is opened in app.ts. */
export const SERVICES: readonly ServiceDefinition[] = [SMS, AIRTIME, ELECTRICITY, CABLE, CHAT];

/** The configuration without services that have no code here: those are announced and can't be subscribed to. */
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

/** Every label of orders, with its values: what a route of the configuration may name. */
export const LABELS: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Map.groupBy(
      SERVICES.flatMap(({ labelValues = {} }) => Object.entries(labelValues)),
      ([label]) => label,
    ),
  ].map(([label, same]) => [label, [...new Set(same.flatMap(([, values]) => values))]]),
);

/** The hold that each state requires: input of the ledger's proof. */
export const HOLD_RULES: readonly HoldRule[] = SERVICES.flatMap(({ service, table }) =>
  Object.entries(table.states).map(([state, { hold }]) => ({ service, state, hold })),
);
