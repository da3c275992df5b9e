import Type, { type TProperties } from "typebox";
import { ERROR_CODES, type ErrorCode, FAULT_CODES } from "../kernel/refusal.ts";
import { modelRef, pascalCase, type Schema } from "./openapi-models.ts";
import { PROBLEMS } from "./problems.ts";
import { Money, named, oneOf, Price, Timestamp } from "./schemas.ts";

const Fault = Type.Object(
  {
    pointer: Type.Optional(Type.String({ description: "JSON Pointer into the body." })),
    parameter: Type.Optional(Type.String({ description: "Name of the query or path parameter." })),
    code: named("FaultCode", oneOf(FAULT_CODES)),
    detail: Type.String(),
  },
  { title: "Fault" },
);

/** RFC 9457 problem details, as far as all refusals have them. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: "Path of the page that explains the code." }),
    title: Type.String(),
    status: Type.Integer(),
    code: named("ErrorCode", oneOf(ERROR_CODES)),
    detail: Type.String({ description: "For people: what to do about this case." }),
    request_id: Type.String(),
    retryable: Type.Boolean({ description: "Whether the same request may succeed later." }),
    errors: Type.Optional(
      Type.Array(Fault, { description: "All faults of the request, each with its field's location." }),
    ),
  },
  { title: "Problem", description: "RFC 9457 problem details." },
);

const OrderId = Type.String({ description: "`id` of the message, bulk or purchase." });
const OrderStatus = Type.String({ description: "The order's current `status`." });
const NullableTime = Type.Union([Timestamp, Type.Null()]);
const Seconds = Type.Integer({ description: "Seconds." });

/** A refused purchase that had been accepted is shown in its refusal. */
const purchase = { purchase: Type.Optional(modelRef("Purchase")) };

const FittingPlan = Type.Object(
  { id: Type.String(), name: Type.String(), fee: Money, quota: Type.Union([Type.Integer(), Type.Null()]) },
  { title: "FittingPlan" },
);

/** What a refusal says besides the members that all have, by its code. */
const MEMBERS: Partial<Record<ErrorCode, TProperties>> = {
  insufficient_balance: { price: Type.Optional(Price), fee: Type.Optional(Money), available: Type.Optional(Money) },
  unknown_version: { versions: Type.Array(Type.String()) },
  unknown_endpoint: { near: Type.Array(Type.String(), { description: "Endpoints that may have been meant." }) },
  not_subscribed: {
    service: Type.String(),
    link: Type.String({ description: "Where a plan of the service is chosen." }),
  },
  scope_missing: { required_scope: Type.Optional(Type.String()), service: Type.Optional(Type.String()) },
  invalid_state: { order_status: Type.Optional(OrderStatus) },
  reference_already_used: { order_id: Type.Optional(OrderId) },
  idempotency_key_reused: { order_id: Type.Optional(OrderId) },
  possible_duplicate: { order_id: OrderId },
  acceptance_unknown: { order_id: Type.Optional(OrderId) },
  price_changed: { price: { ...Price, description: "The current price." } },
  meter_changed: { verification: modelRef("VerifiedMeter") },
  chat_window_closed: {
    window: Type.Optional(
      Type.Object({ last_inbound_at: NullableTime, closed_at: NullableTime }, { title: "ClosedChatWindow" }),
    ),
  },
  amount_out_of_bounds: {
    minimum_amount: Type.Optional(Money),
    maximum_amount: Type.Optional(Money),
    ...purchase,
  },
  plan_not_found: {
    plans: Type.Optional(Type.Array(Type.String(), { description: "The ids that exist." })),
    ...purchase,
  },
  wrong_network: purchase,
  meter_not_found: purchase,
  meter_is_postpaid: purchase,
  purchase_failed: { purchase: modelRef("Purchase") },
  rate_limited: {
    policy: Type.String({ description: "The limit, as in the `RateLimit` header." }),
    limit: Type.Optional(Type.Integer({ description: "The length of the window in seconds." })),
    window_seconds: Type.Optional(Seconds),
    retry_after_seconds: Type.Optional(Seconds),
  },
  destination_rate_limited: {
    limit: Type.Optional(Type.Integer({ description: "Messages to this number in a window." })),
    window_seconds: Seconds,
    retry_after_seconds: Seconds,
  },
  quota_exceeded: {
    quota: Type.Optional(
      Type.String({ description: "`key-spend` or `token-resends`; absent for the plan's own quota." }),
    ),
    limit: Type.Optional(Type.Integer({ description: "Orders, or resends." })),
    remaining: Type.Optional(Type.Integer()),
    limit_amount: Type.Optional({ ...Money, description: "For `key-spend`: the key's daily spend limit." }),
    remaining_amount: Type.Optional(Money),
    renews_at: Type.Optional(Timestamp),
    plans: Type.Optional(Type.Array(FittingPlan, { description: "The plans with enough room." })),
  },
};

/** `insufficient_balance` → `InsufficientBalanceProblem` */
export const problemName = (code: ErrorCode): string => `${pascalCase(code)}Problem`;

/** The schema of the refusals with this code: what all have, its own members, and `code` as one value. */
export function problemSchema(code: ErrorCode): Schema {
  const own = Type.Object({ code: oneOf([code]), ...MEMBERS[code] });
  return { title: problemName(code), description: PROBLEMS[code].title, allOf: [Problem, own] };
}
