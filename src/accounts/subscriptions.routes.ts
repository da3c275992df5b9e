import Type from "typebox";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { closed, extending, ListOf, listOf, Money, moneyOf, Timestamp } from "../http/schemas.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Uuid } from "../kernel/ids.ts";
import { afterLagosMonth, lagosMonth } from "../kernel/lagos.ts";
import { refusal } from "../kernel/refusal.ts";
import { actorOf } from "./actor.ts";
import type { KeyRecord } from "./key-record.ts";
import { planView } from "./services.routes.ts";
import { Plan } from "./services.schemas.ts";
import type { Subscription, Subscriptions } from "./subscriptions.ts";

const SubscriptionBody = Type.Object(
  {
    object: Type.Literal("subscription"),
    service: Type.String(),
    name: Type.String({ description: "Of the service." }),
    plan: Plan,
    since: { ...Timestamp, description: "When the account joined this plan." },
    renews_at: { ...Timestamp, description: "When the next month's fee is charged and the quota restarts." },
  },
  { title: "Subscription" },
);
const Changed = extending("ChangedSubscription", SubscriptionBody, {
  charged: { ...Money, description: "The amount that this request took from the live wallet." },
});

const MANAGE = { scope: "manage", policy: "manage", permission: "manage_plans" } as const;

const ServiceParams = Type.Object({
  service: Type.String({ maxLength: 40, description: "The service's name in `GET /services`.", examples: ["sms"] }),
});

const EXAMPLE = {
  object: "subscription",
  service: "sms",
  name: "SMS",
  plan: {
    object: "plan",
    id: "growth",
    name: "Growth",
    fee: { amount: "15000.00", currency: "NGN" },
    free: false,
    quota: null,
  },
  since: "2026-11-27T09:00:00.000Z",
  renews_at: "2026-11-30T23:00:00.000Z",
};

const NEEDS_LIVE_KEY = refusal(
  "live_mode_only",
  "A subscription counts in both modes and is paid from the live wallet, so a test key can't change it. Use a live key with the scope `manage`.",
);

export interface SubscriptionsRoutesOptions {
  readonly subscriptions: Subscriptions;
  readonly clock: Clock;
  /** Clears this process's key cache: the next request uses the new plan. */
  readonly forgetKeys: () => void;
}

/** `/subscriptions`: the account's plan for each service. */
export function subscriptionsRoutes(app: Http, { subscriptions, clock, forgetKeys }: SubscriptionsRoutesOptions): void {
  const view = ({ service, serviceName, plan, since }: Subscription) => ({
    object: "subscription" as const,
    service,
    name: serviceName,
    plan: planView(plan),
    since: since.toISOString(),
    renews_at: afterLagosMonth(lagosMonth(clock.now())).toISOString(),
  });

  app.get(
    "/subscriptions",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        answerExamples: [{ status: 200, summary: "One service", value: listOf([EXAMPLE]) }],
      },
      schema: {
        operationId: "listSubscriptions",
        summary: "The account's plans",
        description:
          "Every service that the account is subscribed to. A subscription applies to both modes; all fit on one page.",
        tags: ["Account"],
        response: { 200: ListOf(SubscriptionBody) },
      },
    },
    async (request) => {
      const found = await subscriptions.list(accountOf(callerOf(request)));
      return listOf(found.map(view));
    },
  );

  app.get(
    "/subscriptions/:service",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        errors: ["not_found"],
        answerExamples: [{ status: 200, summary: "The subscription", value: EXAMPLE }],
      },
      schema: {
        operationId: "getSubscription",
        summary: "The account's plan of a service",
        description: "404 when the account is not subscribed to the service.",
        tags: ["Account"],
        params: ServiceParams,
        response: { 200: SubscriptionBody },
      },
    },
    async (request, reply) => {
      const found = await subscriptions.find(accountOf(callerOf(request)), request.params.service);
      return found.ok ? view(found.value) : sendRefusal(reply, found.error);
    },
  );

  app.put(
    "/subscriptions/:service",
    {
      config: {
        auth: MANAGE,
        errors: ["live_mode_only", "not_found", "plan_not_found", "insufficient_balance"],
        requestExamples: { "The free plan": { plan: "free" } },
        answerExamples: [
          {
            status: 200,
            summary: "Subscribed",
            value: { ...EXAMPLE, charged: { amount: "2000.00", currency: "NGN" } },
          },
        ],
      },
      schema: {
        operationId: "putSubscription",
        summary: "Subscribe to a service, or change the plan",
        description:
          "Takes effect at once: the next request has the new plan's limits, quota and prices. The fee for the rest of the month in Lagos, including today, is taken from the live wallet; if part of the month's fee is already paid, only the difference. A change to a smaller plan refunds nothing, and returning to the larger one within the month is free. With too little money nothing changes. Choosing the current plan changes nothing and is free, so a repeat is safe. The fee is taken again at the start of each month; an account that can't pay it moves to the free plan, or loses the subscription if there is none. Needs a live key.",
        tags: ["Account"],
        params: ServiceParams,
        body: closed({ plan: Type.String({ minLength: 1, maxLength: 40, description: "A plan's `id`." }) }),
        response: { 200: Changed },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      if (caller.mode !== "live") return sendRefusal(reply, NEEDS_LIVE_KEY);
      const { service } = request.params;
      const changed = await subscriptions.change(accountOf(caller), service, request.body.plan, actorOf(caller));
      if (!changed.ok) return sendRefusal(reply, changed.error);
      forgetKeys();
      return { ...view(changed.value.subscription), charged: moneyOf(changed.value.chargedKobo) };
    },
  );

  app.delete(
    "/subscriptions/:service",
    {
      config: { auth: MANAGE, errors: ["live_mode_only", "not_found"] },
      schema: {
        operationId: "deleteSubscription",
        summary: "Cancel a subscription",
        description:
          "Takes effect at once: the service's endpoints then answer `not_subscribed`. Accepted messages are still sent. The fee is not refunded, and is credited if the account subscribes again within the month. A repeat gets the same answer. Needs a live key.",
        tags: ["Account"],
        params: ServiceParams,
        response: { 204: Type.Null({ description: "Cancelled." }) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      if (caller.mode !== "live") return sendRefusal(reply, NEEDS_LIVE_KEY);
      const cancelled = await subscriptions.cancel(accountOf(caller), request.params.service, actorOf(caller));
      if (!cancelled.ok) return sendRefusal(reply, cancelled.error);
      forgetKeys();
      return reply.code(204).send(null);
    },
  );
}

const accountOf = (caller: KeyRecord) => caller.accountId as Uuid;
