import type { ConfigFile } from "../config/operator-file.ts";
import type { Mode } from "../kernel/mode.ts";
import { hasLabels } from "../orders/route.ts";
import type { Provider, VendorPlan } from "../ports/provider.ts";

/** A provider that sells plans of a product, with what its routes let it sell. */
export interface PlanSource<Group extends string> {
  readonly provider: string;
  readonly modes: readonly Mode[];
  sells(group: Group): boolean;
  /** The whole list, or undefined when it can't be learned now. */
  plans(): Promise<readonly VendorPlan[] | undefined>;
}

interface Sold<Group extends string> {
  readonly service: string;
  readonly product: string;
  /** The labels of an order of such a plan, by which routes are limited. */
  labels(group: Group): Readonly<Record<string, string>>;
}

/** Providers that sell plans of a product on routes of its service. */
export const planSources = <Group extends string>(
  { routes }: ConfigFile,
  providers: ReadonlyMap<string, Provider>,
  { service, product, labels }: Sold<Group>,
): PlanSource<Group>[] =>
  routes.flatMap((route) => {
    const plans = providers.get(route.provider)?.plans?.[product];
    if (route.service !== service || !plans) return [];
    const sells = (group: Group) => hasLabels(route.only, labels(group));
    return [{ provider: route.provider, modes: route.modes, sells, plans }];
  });
