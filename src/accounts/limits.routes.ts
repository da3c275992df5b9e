import Type from "typebox";
import type { Db } from "../db/database.ts";
import { callerOf, subjectOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { WINDOW_SECONDS } from "../http/limits.ts";
import { Money, moneyOf, Timestamp } from "../http/schemas.ts";
import type { Uuid } from "../kernel/ids.ts";
import { kobo, ZERO_KOBO } from "../kernel/kobo.ts";
import { afterLagosDay, afterLagosMonth, lagosDay, lagosMonth } from "../kernel/lagos.ts";
import type { Plans } from "./plans.ts";
import { readKeySpend, readUsage } from "./usage.repo.ts";

const Limit = Type.Object(
  {
    policy: Type.String({ description: "As named in the `RateLimit` header; each operation documents its own." }),
    limit: Type.Integer({ description: "Your plan's limit for each window." }),
    remaining: Type.Integer(),
    window_seconds: Type.Integer(),
    reset_seconds: Type.Integer({ description: "Seconds until the window ends and `remaining` is `limit` again." }),
  },
  { title: "Limit" },
);

const Quota = Type.Object(
  {
    service: Type.String(),
    plan: Type.String(),
    limit: Type.Integer({ description: "Your plan's quota for a calendar month in Lagos." }),
    remaining: Type.Integer(),
    renews_at: Timestamp,
  },
  { title: "Quota" },
);

const SpendCap = Type.Object(
  { limit: Money, remaining: Money, renews_at: Timestamp },
  {
    title: "SpendCap",
    description:
      "The daily spend limit, in Lagos days and over all services, of this key together with the keys it replaced. Absent without a cap.",
  },
);

const LimitsLeft = Type.Object(
  {
    object: Type.Literal("limits"),
    limits: Type.Array(Limit),
    quotas: Type.Array(Quota, { description: "A plan without a monthly quota has no entry." }),
    key_spend: Type.Optional(SpendCap),
  },
  { title: "Limits" },
);

const EXAMPLE = {
  object: "limits",
  limits: [
    { policy: "read", limit: 300, remaining: 299, window_seconds: 60, reset_seconds: 42 },
    { policy: "sms-send", limit: 60, remaining: 57, window_seconds: 60, reset_seconds: 42 },
  ],
  quotas: [{ service: "sms", plan: "free", limit: 100, remaining: 97, renews_at: "2026-11-30T23:00:00.000Z" }],
};

/** `GET /limits`: a caller's remaining limits. The request itself consumes none. */
export function limitsRoutes(app: Http, { db, accounts }: { readonly db: Db; readonly accounts: Plans }): void {
  app.get(
    "/limits",
    {
      config: {
        auth: { scope: "read", policy: null },
        answerExamples: [{ status: 200, summary: "Each limit and its remainder", value: EXAMPLE }],
      },
      schema: {
        operationId: "getLimits",
        summary: "Limits and what remains of them, free of charge",
        description:
          "The per-minute limits of the key's account in this mode, the monthly quotas of its plans, and what the key may still spend today. This request counts against none of them.",
        tags: ["Account"],
        response: { 200: LimitsLeft },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { limits, clock } = app.edge;
      const month = lagosMonth(clock.now());
      const quotas = accounts.quotasOf(caller);
      const day = lagosDay(clock.now());
      const cap = caller.spendCapKobo;
      const spent = cap === null ? ZERO_KOBO : await readKeySpend(db, caller.spendsAs as Uuid, day);
      const used = quotas.length > 0 ? await readUsage(db, caller.accountId as Uuid, caller.mode, month) : new Map();
      const decisions = accounts
        .policiesOf(caller)
        .map((policy) => limits.take(subjectOf(caller), policy, accounts.limitFor(caller, policy), 0));
      return {
        object: "limits" as const,
        limits: (await Promise.all(decisions)).map(({ policy, limit, remaining, resetSeconds }) => ({
          policy,
          limit,
          remaining,
          window_seconds: WINDOW_SECONDS,
          reset_seconds: resetSeconds,
        })),
        quotas: quotas.map(({ service, plan, limit }) => ({
          service,
          plan,
          limit,
          remaining: Math.max(0, limit - (used.get(service) ?? 0)),
          renews_at: afterLagosMonth(month).toISOString(),
        })),
        ...(cap !== null && {
          key_spend: {
            limit: moneyOf(cap),
            remaining: moneyOf(spent < cap ? kobo(cap - spent) : ZERO_KOBO),
            renews_at: afterLagosDay(day).toISOString(),
          },
        }),
      };
    },
  );
}
