import type { ConfigFile, PlanOf, ServiceName } from "../config/operator-file.ts";
import { invariant } from "../kernel/result.ts";
import type { KeyRecord, LimitFor } from "./key-record.ts";

/** A caller's entitlements under the configured plans. */
export interface Plans {
  readonly limitFor: LimitFor;
  /** The plan of an existing subscription. */
  planOf<Service extends ServiceName>(service: Service, planId: string): PlanOf<Service>;
  /** Excludes plans no longer in the configuration, which give nothing. */
  configured(subscriptions: KeyRecord["subscriptions"]): KeyRecord["subscriptions"];
  /** All per-minute limits of a caller: those of its plans and the general ones. */
  policiesOf(caller: KeyRecord): readonly string[];
  /** The monthly quotas of a caller's plans that have one. */
  quotasOf(caller: KeyRecord): readonly { readonly service: string; readonly plan: string; readonly limit: number }[];
}

export function makePlans(config: ConfigFile): Plans {
  const plans = new Map(
    Object.entries(config.services).flatMap(([service, { plans }]) =>
      plans.map((plan) => [`${service} ${plan.id}`, plan] as const),
    ),
  );
  const plansOf = (caller: KeyRecord) =>
    Object.entries(caller.subscriptions).flatMap(([service, { plan: id }]) => {
      const plan = plans.get(`${service} ${id}`);
      return plan ? [{ service, plan }] : [];
    });

  return {
    planOf(service, planId) {
      const plan = config.services[service]?.plans.find(({ id }) => id === planId);
      invariant(plan, `plan ${planId} of ${service} is configured`);
      return plan;
    },

    configured: (subscriptions) =>
      Object.fromEntries(
        Object.entries(subscriptions).filter(([service, { plan }]) => plans.has(`${service} ${plan}`)),
      ),

    // Several plans may raise a general limit: the largest counts.
    limitFor(caller, policy) {
      let largest: number | undefined;
      for (const [service, { plan }] of Object.entries(caller.subscriptions)) {
        const limits: Readonly<Record<string, number>> = plans.get(`${service} ${plan}`)?.limits ?? {};
        const limit = limits[policy];
        if (limit !== undefined && limit > (largest ?? -1)) largest = limit;
      }
      return largest ?? config.limits[policy] ?? 0;
    },

    policiesOf(caller) {
      const own = plansOf(caller).flatMap(({ plan }) => Object.keys(plan.limits));
      return [...new Set([...Object.keys(config.limits), ...own])].sort();
    },

    quotasOf: (caller) =>
      plansOf(caller).flatMap(({ service, plan: { id, quota } }) =>
        quota === null ? [] : [{ service, plan: id, limit: quota }],
      ),
  };
}
