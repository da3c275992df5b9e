import type { TSchema } from "typebox";
import type { Order } from "./order.ts";
import type { StepTable } from "./steps.ts";

/** Who looks at an order: an API key, which may not be allowed to see everything. */
export interface Viewer {
  readonly scopes: readonly string[];
}

/** A service's orders as subscribers see them: in the service's own endpoints, and in those of all services. */
export interface OrderViews {
  /** The states behind each status that subscribers know. */
  readonly statuses: Statuses;
  /** The answers' models, once every service is there. */
  readonly models: () => { readonly inFull: TSchema; readonly listed: TSchema };
  /** Of the reference; absent: others' do. */
  readonly examples?: { readonly inFull: object; readonly listed: object };
  /** One order with its timeline. */
  readonly inFull: (order: Order, viewer: Viewer) => Promise<object>;
  /** Orders of one account, in the same order. */
  readonly listed: (orders: readonly Order[], viewer: Viewer) => Promise<readonly object[]>;
}

export type Statuses = Readonly<Record<string, readonly string[]>>;

/** `shown`: the status that subscribers see for a state; default: the state itself. */
export const statusesOf = ({ states }: StepTable, shown: (state: string) => string = (state) => state): Statuses =>
  Object.fromEntries(Map.groupBy(Object.keys(states), shown));

/** A service's states that subscribers know by this status; without one, all of them. */
export const statesOf = (service: string, { statuses }: Pick<OrderViews, "statuses">, status?: string) => ({
  service,
  states: status === undefined ? Object.values(statuses).flat() : (statuses[status] ?? []),
});
