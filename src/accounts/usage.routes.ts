import Type from "typebox";
import type { Db } from "../db/database.ts";
import { callerOf } from "../http/authenticate.ts";
import type { Http } from "../http/edge.ts";
import { sendRefusal } from "../http/refuse.ts";
import { closed, Money, moneyOf, oneOf } from "../http/schemas.ts";
import { DAY_MS } from "../kernel/duration.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Kobo, sumKobo } from "../kernel/kobo.ts";
import { afterLagosDay, lagosDay, startOfLagosDay } from "../kernel/lagos.ts";
import { type Fault, refusal } from "../kernel/refusal.ts";
import { isDay } from "../kernel/rfc3339.ts";
import { sumUsage, USAGE_BY, type UsageBy, type UsageSum } from "./usage.repo.ts";

const DAYS_MAX = 92;
const DAYS_DEFAULT = 30;

const Day = (description: string) =>
  Type.String({ pattern: "^20\\d{2}-\\d{2}-\\d{2}$", description, examples: ["2026-11-27"] });

/** Orders and what became of their prices. */
const sums = {
  orders: Type.Integer({ description: "Accepted in this period." }),
  charged: Money,
  held: { ...Money, description: "For orders whose outcome is not known yet." },
  returned: { ...Money, description: "Given back when the order ended." },
  refunded: {
    ...Money,
    description: "Charged, and given back later because the vendor reversed the delivery.",
  },
};

const Usage = Type.Object(
  {
    object: Type.Literal("usage"),
    from: Day("The first day, in Lagos."),
    to: Day("The last day, included."),
    data: Type.Array(
      Type.Object(
        {
          object: Type.Literal("usage_line"),
          day: Type.Optional(Type.String()),
          service: Type.Optional(Type.String()),
          status: Type.Optional(Type.String()),
          ...sums,
        },
        { title: "UsageLine" },
      ),
      { description: "Days, services and statuses without orders are left out." },
    ),
    total: Type.Object(
      { orders: Type.Integer(), charged: Money, held: Money, returned: Money, refunded: Money },
      { title: "UsageTotal", description: "Of all lines." },
    ),
  },
  { title: "Usage" },
);

const money = (amount: string) => ({ amount, currency: "NGN" });
const line = (orders: number, charged: string, held: string, returned: string) => ({
  orders,
  charged: money(charged),
  held: money(held),
  returned: money(returned),
  refunded: money("0.00"),
});
const EXAMPLE = {
  object: "usage",
  from: "2026-11-26",
  to: "2026-11-27",
  data: [
    { object: "usage_line", day: "2026-11-26", ...line(120, "480.00", "0.00", "0.00") },
    { object: "usage_line", day: "2026-11-27", ...line(80, "300.00", "8.00", "12.00") },
  ],
  total: line(200, "780.00", "8.00", "12.00"),
};

export interface UsageRoutesOptions {
  readonly db: Db;
  /** Names of the services on offer. */
  readonly offered: readonly string[];
}

/** `GET /usage`: counts and money by day, service or status. */
export function usageRoutes(app: Http, { db, offered }: UsageRoutesOptions): void {
  app.get(
    "/usage",
    {
      config: {
        auth: { scope: "read", policy: "read" },
        answerExamples: [{ status: 200, summary: "By day", value: EXAMPLE }],
      },
      schema: {
        operationId: "getUsage",
        summary: "Orders and their cost, by day, service or status",
        description: `Orders by their day of acceptance in Lagos, and how their prices were settled so far: \`charged\`, \`held\`, \`returned\` or \`refunded\`, as in an order's \`charge\`. At most ${DAYS_MAX} days at once; default: the last ${DAYS_DEFAULT}. A live key sees live orders, a test key those of test mode. Fees of plans are in \`GET /wallet/transactions\`.`,
        tags: ["Account"],
        querystring: closed({
          from: Type.Optional(Day(`The first day; ${DAYS_DEFAULT - 1} days before \`to\` by default.`)),
          to: Type.Optional(Day("The last day, inclusive; default: today.")),
          by: Type.Optional(Type.Unsafe<UsageBy>({ type: "string", enum: [...USAGE_BY] })),
          service: Type.Optional(oneOf(offered, "Only this service.")),
        }),
        response: { 200: Usage },
      },
    },
    async (request, reply) => {
      const { accountId, mode } = callerOf(request);
      const { by = "day", service } = request.query;
      const to = request.query.to ?? lagosDay(app.edge.clock.now());
      const from = request.query.from ?? (isDay(to) ? daysBefore(to, DAYS_DEFAULT - 1) : to);
      const errors = faultsOf(from, to);
      if (errors.length > 0) return sendRefusal(reply, refusal("validation_failed", errors[0]!.detail, { errors }));
      const period = { from: startOfLagosDay(from), before: afterLagosDay(to) };
      const found = await sumUsage(db, { accountId: accountId as Uuid, mode, ...period, by, service });
      return {
        object: "usage" as const,
        from,
        to,
        data: found.map((sum) => ({ object: "usage_line" as const, [by]: sum.key, ...view(sum) })),
        total: view({
          orders: found.reduce((total, { orders }) => total + orders, 0),
          chargedKobo: sumOf(found, "chargedKobo"),
          heldKobo: sumOf(found, "heldKobo"),
          returnedKobo: sumOf(found, "returnedKobo"),
          refundedKobo: sumOf(found, "refundedKobo"),
        }),
      };
    },
  );
}

const view = ({ orders, chargedKobo, heldKobo, returnedKobo, refundedKobo }: Omit<UsageSum, "key">) => ({
  orders,
  charged: moneyOf(chargedKobo),
  held: moneyOf(heldKobo),
  returned: moneyOf(returnedKobo),
  refunded: moneyOf(refundedKobo),
});

const sumOf = (found: readonly UsageSum[], part: Exclude<keyof UsageSum, "key" | "orders">): Kobo =>
  sumKobo(found.map((sum) => sum[part]));

const daysBefore = (day: string, days: number): string =>
  lagosDay(new Date(startOfLagosDay(day).getTime() - days * DAY_MS));

function faultsOf(from: string, to: string): readonly Fault[] {
  const fault = (parameter: "from" | "to", detail: string): Fault => ({ parameter, code: "out_of_range", detail });
  if (!isDay(from)) return [fault("from", `${from} is no day of the calendar.`)];
  if (!isDay(to)) return [fault("to", `${to} is no day of the calendar.`)];
  if (from > to) return [fault("from", "The first day comes after the last one.")];
  if (from < daysBefore(to, DAYS_MAX - 1))
    return [fault("from", `That is more than ${DAYS_MAX} days. Ask for them in several calls.`)];
  return [];
}
