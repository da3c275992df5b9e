import Type from "typebox";
import { FIELD_CODES } from "../kernel/refusal.ts";
import { modelRef } from "./openapi-models.ts";
import type { ErrorCodesOf, OwnRefusals } from "./problems.ts";
import { Money, Price, Timestamp } from "./schemas.ts";

const OrderId = Type.String({ description: "`id` of the message, bulk or purchase." });
const OrderStatus = Type.String({ description: "The order's current `status`." });
const Seconds = Type.Integer({ description: "Seconds." });

/** A refused purchase that had been accepted is shown in its refusal. */
export const REFUSED_PURCHASE = { purchase: Type.Optional(modelRef("Purchase")) };

const FittingPlan = Type.Object(
  { id: Type.String(), name: Type.String(), fee: Money, quota: Type.Union([Type.Integer(), Type.Null()]) },
  { title: "FittingPlan" },
);

/** What the server refuses by itself, and what several parts do. */
export const COMMON_REFUSALS = {
  problems: {
    invalid_json: { status: 400, title: "Body is not valid JSON" },
    validation_failed: { status: 400, title: "Request does not have the documented form" },
    invalid_character: { status: 400, title: "Body has a character that no text may have", ofField: true },
    amount_not_exact: { status: 400, title: "Amount is not an exact number of kobo", ofField: true },
    idempotency_key_required: { status: 400, title: "Idempotency-Key or reference is required" },
    invalid_idempotency_key: { status: 400, title: "Idempotency-Key does not have the documented form" },
    invalid_cursor: { status: 400, title: "Cursor does not belong to this list" },
    unknown_version: {
      status: 400,
      title: "API version does not exist",
      members: { versions: Type.Array(Type.String()) },
    },
    duplicate_api_key_header: { status: 400, title: "X-API-Key was sent twice" },
    malformed_request: { status: 400, title: "Request is not well-formed HTTP" },
    missing_api_key: { status: 401, title: "API key is missing" },
    invalid_api_key: { status: 401, title: "API key is not valid" },
    api_key_expired: { status: 401, title: "API key has expired" },
    invalid_signature: { status: 401, title: "Signature of the callback is not valid" },
    use_x_api_key_header: { status: 401, title: "API key belongs in the X-API-Key header" },
    session_ended: { status: 401, title: "Session has ended" },
    insufficient_balance: {
      status: 402,
      title: "Wallet balance is too low",
      members: { price: Type.Optional(Price), fee: Type.Optional(Money), available: Type.Optional(Money) },
    },
    not_subscribed: {
      status: 403,
      title: "Account is not subscribed to this service",
      ofField: true,
      members: {
        service: Type.String(),
        link: Type.String({ description: "Where a plan of the service is chosen." }),
      },
    },
    confirmation_required: { status: 403, title: "Person has to confirm this" },
    scope_missing: {
      status: 403,
      title: "API key lacks the scope",
      members: { required_scope: Type.Optional(Type.String()), service: Type.Optional(Type.String()) },
    },
    ip_not_allowed: { status: 403, title: "API key may not be used from this address" },
    cross_site_request: { status: 403, title: "Request does not come from the portal's own pages" },
    not_a_member: { status: 403, title: "Person is not a member of this account" },
    account_suspended: { status: 403, title: "Account is suspended" },
    test_mode_only: { status: 403, title: "Endpoint exists for test keys only" },
    live_mode_only: { status: 403, title: "Only a live key may do this" },
    not_found: { status: 404, title: "Object was not found", ofField: true },
    unknown_endpoint: {
      status: 404,
      title: "Endpoint does not exist",
      members: { near: Type.Array(Type.String(), { description: "Endpoints that may have been meant." }) },
    },
    method_not_allowed: { status: 405, title: "Method is not allowed here" },
    not_acceptable: { status: 406, title: "No representation fits the Accept header" },
    request_timeout: { status: 408, title: "Request took too long to arrive", retryable: true },
    invalid_state: {
      status: 409,
      title: "State of the object does not allow this",
      members: { order_status: Type.Optional(OrderStatus) },
    },
    idempotency_in_progress: {
      status: 409,
      title: "First request with this key is still being accepted",
      retryable: true,
    },
    reference_already_used: {
      status: 409,
      title: "Reference belongs to another order",
      ofField: true,
      members: { order_id: Type.Optional(OrderId) },
    },
    possible_duplicate: { status: 409, title: "The same was bought a moment ago", members: { order_id: OrderId } },
    payload_too_large: { status: 413, title: "Body is too large" },
    uri_too_long: { status: 414, title: "Path is too long" },
    unsupported_media_type: { status: 415, title: "Body is not of a type that is taken here" },
    invalid_phone_number: { status: 422, title: "Phone number is not valid", ofField: true },
    destination_not_supported: { status: 422, title: "Destination is not served", ofField: true },
    plan_not_found: {
      status: 422,
      title: "Plan does not exist",
      ofField: true,
      members: {
        plans: Type.Optional(Type.Array(Type.String(), { description: "The ids that exist." })),
        ...REFUSED_PURCHASE,
      },
    },
    amount_out_of_bounds: {
      status: 422,
      title: "Amount is out of bounds, or not in whole naira",
      ofField: true,
      members: {
        minimum_amount: Type.Optional(Money),
        maximum_amount: Type.Optional(Money),
        ...REFUSED_PURCHASE,
      },
    },
    idempotency_key_reused: {
      status: 422,
      title: "Idempotency key was used for a different request",
      members: { order_id: Type.Optional(OrderId) },
    },
    rate_limited: {
      status: 429,
      title: "Too many requests",
      retryable: true,
      members: {
        policy: Type.String({ description: "The limit, as in the `RateLimit` header." }),
        limit: Type.Optional(Type.Integer({ description: "The length of the window in seconds." })),
        window_seconds: Type.Optional(Seconds),
        retry_after_seconds: Type.Optional(Seconds),
      },
    },
    quota_exceeded: {
      status: 429,
      title: "Quota is used up",
      retryable: true,
      ofField: true,
      members: {
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
    },
    destination_rate_limited: {
      status: 429,
      title: "Too many messages to this number",
      retryable: true,
      ofField: true,
      members: {
        limit: Type.Optional(Type.Integer({ description: "Messages to this number in a window." })),
        window_seconds: Seconds,
        retry_after_seconds: Seconds,
      },
    },
    headers_too_large: { status: 431, title: "Header fields are too large" },
    internal_error: { status: 500, title: "Something went wrong on our side", retryable: true },
    provider_unavailable: { status: 503, title: "No vendor can take this order now", retryable: true, ofField: true },
    database_unavailable: { status: 503, title: "Storage is not reachable now", retryable: true },
    overloaded: { status: 503, title: "Gateway is busy", retryable: true, ofField: true },
    acceptance_unknown: {
      status: 503,
      title: "Order may have been accepted",
      retryable: true,
      members: { order_id: Type.Optional(OrderId) },
    },
  },
  fieldCodes: FIELD_CODES,
} as const satisfies OwnRefusals;

declare module "../kernel/refusal.ts" {
  interface ErrorCodes extends ErrorCodesOf<typeof COMMON_REFUSALS> {}
}

/** The codes that need no service. */
export type CommonCode = keyof (typeof COMMON_REFUSALS)["problems"];
