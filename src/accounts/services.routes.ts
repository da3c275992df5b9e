import type { ConfigFile, PlanConfig } from "../config/operator-file.ts";
import type { Http, RouteEntry } from "../http/edge.ts";
import { listOf, moneyOf } from "../http/schemas.ts";
import { kobo, parseKobo } from "../kernel/kobo.ts";
import type { PlanPrices, PricedService } from "./plan-prices.ts";
import { type Plan, type Service, servicesOf } from "./services.schemas.ts";

/** Plans change with a restart only, so whoever shows them need not ask for each visitor. */
const CACHED_SECONDS = 60;

const FOUR = moneyOf(kobo(400));
const EXAMPLE: Service[] = [
  {
    object: "service",
    service: "sms",
    name: "SMS",
    category: "messaging",
    version: "v1",
    path_prefix: "/sms",
    available: true,
    endpoints: [
      { method: "POST", path: "/sms/send", purpose: "Send one SMS", policy: "sms-send", rate_per_minute: 60 },
    ],
    plans: [
      {
        object: "plan",
        id: "free",
        name: "Free",
        fee: { amount: "0.00", currency: "NGN" },
        free: true,
        quota: 100,
        limits: { "sms-send": 60, "sms-bulk": 5, "sms-recipients": 100, "sms-preview": 60, "sms-cancel": 60 },
        prices: { per: "segment", transactional: { default: FOUR }, promotional: { default: FOUR } },
      },
    ],
  },
];

export interface ServicesRoutesOptions {
  readonly config: ConfigFile;
  readonly offered: readonly string[];
  readonly priced: readonly PricedService[];
}

/** `GET /services`: what this gateway sells, from its configuration and from the routes that are registered. */
export function servicesRoutes(app: Http, { config, offered, priced }: ServicesRoutesOptions): void {
  const pricesOf = new Map<string, PlanPrices>(
    priced.map(({ definition, planPrices }) => [definition.service, planPrices as PlanPrices]),
  );
  app.get(
    "/services",
    {
      config: { auth: "public", answerExamples: [{ status: 200, summary: "One service", value: listOf(EXAMPLE) }] },
      schema: {
        operationId: "listServices",
        summary: "Services with their endpoints and plans; no key needed",
        description:
          "The services, and what each plan costs and includes. A service that is not `available` is only announced: it has no endpoints yet, and its plans can't be chosen.",
        tags: ["Account"],
        response: { 200: servicesOf(priced.map(({ planPrices }) => planPrices.schema)) },
      },
    },
    (_request, reply) => {
      reply.header("cache-control", `public, max-age=${CACHED_SECONDS}`);
      return listOf(
        Object.entries(config.services).map(
          ([service, { name, category, plans }]): Service => ({
            object: "service",
            service,
            name,
            category,
            version: "v1",
            path_prefix: `/${service}`,
            available: offered.includes(service),
            endpoints: offered.includes(service) ? endpointsOf(service, app.edge.routes, config) : [],
            plans: plans.flatMap((plan: PlanConfig) => {
              const prices = pricesOf.get(service)?.view(plan.prices);
              return prices ? [{ ...planView(plan), limits: { ...plan.limits }, prices }] : [];
            }),
          }),
        ),
      );
    },
  );
}

/** A plan by the few things that a choice is made by. */
export const planView = ({ id, name, fee, quota }: PlanConfig): Plan => ({
  object: "plan",
  id,
  name,
  fee: moneyOf(parseKobo(fee)),
  free: parseKobo(fee) === 0n,
  quota,
});

function endpointsOf(service: string, routes: readonly RouteEntry[], { services, limits }: ConfigFile) {
  const first: PlanConfig | undefined = Object.entries(services).find(([name]) => name === service)?.[1].plans[0];
  const rates: Readonly<Record<string, number>> = { ...limits, ...first?.limits };
  return routes.flatMap(({ method, url, auth, schema }) => {
    if (auth === "public" || auth.service !== service || method === "HEAD" || schema.hide) return [];
    const policy = auth.policy ?? "";
    const path = url.replaceAll(/:(\w+)/g, "{$1}");
    return [{ method, path, purpose: schema.summary ?? "", policy, rate_per_minute: rates[policy] ?? 0 }];
  });
}
