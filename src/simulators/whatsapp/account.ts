import { isRecord } from "../vendors/json.ts";
import { json, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { failure } from "./errors.ts";
import { numberAt, type SimulatedNumber } from "./settings.ts";

/** What a client sets up before it sends: the business account, its numbers with their profiles, and who gets the webhooks. */

const APP = { id: "400000000000001", name: "Simulated app", link: "https://vendor.test/apps/400000000000001" };

/** `fields` as the Graph API reads it: these alone, and always the id. */
export function only(object: Readonly<Record<string, unknown>>, query: URLSearchParams): object {
  const fields = query.get("fields");
  if (fields === null) return object;
  const wanted = new Set(["id", ...fields.split(",").map((field) => field.trim().replace(/[({].*$/, ""))]);
  return Object.fromEntries(Object.entries(object).filter(([name]) => wanted.has(name)));
}

/** GET /{waba_id}. */
export const readBusiness = ({ query }: VendorRequest, world: VendorWorld): VendorAnswer =>
  json(
    only(
      {
        id: String(world.setting("wabaId")),
        name: "Simulated business",
        currency: "NGN",
        timezone_id: "1",
        message_template_namespace: "simulated_namespace",
      },
      query,
    ),
  );

const numberView = ({ phoneNumberId, number }: SimulatedNumber) => ({
  verified_name: "Simulated business",
  code_verification_status: "VERIFIED",
  display_phone_number: `+${number.slice(0, 3)} ${number.slice(3, 6)} ${number.slice(6, 9)} ${number.slice(9)}`,
  quality_rating: "GREEN",
  platform_type: "CLOUD_API",
  throughput: { level: "STANDARD" },
  name_status: "APPROVED",
  status: "CONNECTED",
  account_mode: "LIVE",
  is_official_business_account: false,
  messaging_limit_tier: "TIER_UNLIMITED",
  id: phoneNumberId,
});

/** GET /{phone_number_id}. */
export const readNumber = ({ query }: VendorRequest, number: SimulatedNumber): VendorAnswer =>
  json(only(numberView(number), query));

const NUMBERS_PER_PAGE = 25;

/** GET /{waba_id}/phone_numbers, by cursors. */
export function listNumbers({ query, headers, path }: VendorRequest, world: VendorWorld): VendorAnswer {
  const limit = Number(query.get("limit") ?? NUMBERS_PER_PAGE);
  if (!Number.isInteger(limit) || limit < 1) return failure(100, "limit must be a positive integer");
  const count = Number(world.setting("numberCount"));
  const start = Number(Buffer.from(query.get("after") ?? "", "base64").toString()) || 0;
  const end = Math.min(start + limit, count);
  const data = Array.from({ length: Math.max(end - start, 0) }, (_, index) =>
    only(numberView(numberAt(start + index)), query),
  );
  const cursor = (index: number) => Buffer.from(String(index)).toString("base64");
  const next = new URLSearchParams([...query].filter(([key]) => key !== "after" && key !== "access_token"));
  next.set("after", cursor(end));
  return json({
    data,
    paging: {
      cursors: { before: cursor(start), after: cursor(end) },
      ...(end < count && { next: `http://${headers.host}${path}?${next}` }),
    },
  });
}

/** /{waba_id}/subscribed_apps: webhooks go to the address of the control API, whatever an app says here. */
export function subscribedApps({ method, body }: VendorRequest, world: VendorWorld): VendorAnswer {
  if (method === "GET") {
    const subscribed = world.recall("subscribed");
    return json({ data: isRecord(subscribed) ? [{ whatsapp_business_api_data: APP, ...subscribed }] : [] });
  }
  if (method === "DELETE") world.keep("subscribed", null);
  else {
    const override = isRecord(body) ? body.override_callback_uri : undefined;
    world.keep("subscribed", typeof override === "string" ? { override_callback_uri: override } : {});
  }
  return json({ success: true });
}

const PROFILE = ["about", "address", "description", "email", "websites", "vertical"] as const;

/** /{phone_number_id}/whatsapp_business_profile. */
export function businessProfile(
  { method, body, query }: VendorRequest,
  world: VendorWorld,
  { phoneNumberId }: SimulatedNumber,
): VendorAnswer {
  const key = `profile:${phoneNumberId}`;
  const known = (world.recall(key) ?? {}) as Readonly<Record<string, unknown>>;
  if (method === "GET") {
    const { id: _, ...shown } = only({ ...known, messaging_product: "whatsapp" }, query) as Record<string, unknown>;
    return json({ data: [{ ...shown, messaging_product: "whatsapp" }] });
  }
  if (!isRecord(body) || body.messaging_product !== "whatsapp")
    return failure(100, "The parameter messaging_product is required.");
  world.keep(key, {
    ...known,
    ...Object.fromEntries(PROFILE.flatMap((name) => (name in body ? [[name, body[name]]] : []))),
  });
  return json({ success: true });
}

/** /{phone_number_id}/settings: nothing of it is steerable. */
export const numberSettings = ({ method }: VendorRequest): VendorAnswer =>
  json(method === "GET" ? { storage_configuration: { status: "DEFAULT" } } : { success: true });

/** Registration and its codes: every number is registered, and stays so. */
export const SETUP_EDGES = ["register", "deregister", "request_code", "verify_code"] as const;
