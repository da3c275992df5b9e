import { isRecord } from "./json.ts";
import { FAR_ENDS } from "./products.ts";
import { isScenarioName, SCENARIOS, scenarioOf } from "./scenarios.ts";
import type { Vend, VendorStore } from "./store.repo.ts";
import { ControlFault, type VendorRequest, type VendorSimulator } from "./vendor.ts";
import { VendorWorld } from "./world.ts";

export interface ControlAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface Part {
  readonly store: VendorStore;
  readonly vendors: readonly VendorSimulator[];
  readonly now: number;
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  answer(part: Part, request: VendorRequest, captured: readonly string[]): ControlAnswer;
}

const ok = (body: unknown): ControlAnswer => ({ status: 200, body });
const wrong = (error: string): ControlAnswer => ({ status: 400, body: { errors: [error] } });

const DIGITS = /^\d{1,20}$/;
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Phones are kept with 234, however they are written here. */
const recipientOf = (text: string): string => text.replace(/^\+/, "").replace(/^0(?=[789]\d{9}$)/, "234");

const ROUTES: readonly Route[] = [
  {
    method: "DELETE",
    path: /^\/control$/,
    answer: ({ store }) => {
      store.reset();
      return ok({});
    },
  },
  {
    method: "POST",
    path: /^\/control\/callback-url$/,
    answer: ({ store, vendors }, { body }) => {
      if (!isRecord(body) || !vendors.some(({ name }) => name === body.vendor))
        return wrong("vendor: one of the vendors");
      if (typeof body.url !== "string" || !/^https?:\/\//.test(body.url))
        return wrong("url: where the vendor calls back");
      store.keep(String(body.vendor), "callback-url", body.url);
      return ok({});
    },
  },
  {
    method: "GET",
    path: new RegExp(`^/control/(${[...FAR_ENDS.keys()].join("|")})/\\+?(\\d{1,15})$`),
    answer: (part, _request, [farEnd = "", number = ""]) => {
      const { field } = worldOf(part);
      const products = FAR_ENDS.get(farEnd) ?? [];
      return ok(Object.fromEntries(products.map((product) => [product, field.arrivals(product, recipientOf(number))])));
    },
  },
  {
    method: "GET",
    path: /^\/control\/meters\/(\d{1,20})$/,
    answer: (part, _request, [number = ""]) => {
      const { field } = worldOf(part);
      return ok({ meter: inJson(field.meter(number) ?? null), tokens: field.tokens(number) });
    },
  },
  {
    // Makes a meter, or changes one.
    method: "POST",
    path: /^\/control\/meters\/(\d{1,20})$/,
    answer: (part, { body }, [number = ""]) => {
      const fault = isRecord(body) ? faultOfMeter(body) : "the body is an object";
      if (fault !== undefined || !isRecord(body)) return wrong(fault ?? "");
      part.store.changeMeter(number, body);
      return ok({ meter: inJson(worldOf(part).field.meter(number) ?? null) });
    },
  },
  {
    // Somebody types a token into the meter.
    method: "POST",
    path: /^\/control\/meters\/(\d{1,20})\/tokens$/,
    answer: (part, { body }, [number = ""]) =>
      isRecord(body) && typeof body.token === "string"
        ? ok(worldOf(part).field.enter(number, body.token.replaceAll(/[\s-]/g, "")))
        : wrong("token: twenty digits"),
  },
  {
    method: "GET",
    path: /^\/control\/([a-z-]+)\/calls$/,
    answer: ({ store }, { query }, [vendor = ""]) => {
      const calls = store.calls(vendor, Number(query.get("after") ?? 0));
      return ok({ calls });
    },
  },
  {
    method: "GET",
    path: /^\/control\/([a-z-]+)\/vends$/,
    answer: (part, { query }, [vendor = ""]) => {
      const recipient = query.get("recipient");
      const vends = part.store.vends(
        vendor,
        query.get("reference"),
        recipient === null ? null : recipientOf(recipient),
      );
      const world = worldOf(part);
      return ok({ vends: vends.map((vend) => ({ ...inJson<Vend>(vend), state: world.stateOf(vend) })) });
    },
  },
  { method: "POST", path: /^\/control\/([a-z-]+)\/scenarios$/, answer: queueScenario },
  {
    method: "POST",
    path: /^\/control\/([a-z-]+)\/settings$/,
    answer: (part, { body }, [name = ""]) => {
      const vendor = part.vendors.find((candidate) => candidate.name === name);
      if (!vendor || !isRecord(body)) return wrong("the body is an object of settings");
      const unknown = Object.keys(body).filter((key) => !Object.hasOwn(vendor.settings, key));
      if (unknown.length > 0) return wrong(`no such setting: ${unknown}; there are ${Object.keys(vendor.settings)}`);
      for (const [key, value] of Object.entries(body)) part.store.keep(name, `setting:${key}`, value);
      const world = new VendorWorld(name, vendor.settings, part.store, part.now);
      return ok(Object.fromEntries(Object.keys(vendor.settings).map((key) => [key, world.setting(key)])));
    },
  },
];

function queueScenario({ store }: Part, { body }: VendorRequest, [vendor = ""]: readonly string[]): ControlAnswer {
  if (!isRecord(body) || !isScenarioName(body.scenario))
    return wrong(`scenario: one of ${Object.keys(SCENARIOS).join(", ")}`);
  const { scenario, times = 1, recipient = null, afterMs = null, on = scenarioOf(scenario).on } = body;
  if (!isWhole(times) || times === 0) return wrong("times: a whole number, 1 or more");
  if (afterMs !== null && !isWhole(afterMs)) return wrong("afterMs: a whole number of milliseconds");
  if (on !== "vend" && on !== "verify") return wrong("on: vend or verify");
  if (recipient !== null && (typeof recipient !== "string" || !DIGITS.test(recipientOf(recipient))))
    return wrong("recipient: a phone, a meter or a smartcard");
  const who = recipient === null ? null : recipientOf(recipient);
  store.queue(vendor, { scenario, call: on, recipient: who, times, afterMs });
  return ok({});
}

const METER_FIELDS = ["name", "address", "type", "arrearsKobo", "minimumKobo", "maximumKobo"];

function faultOfMeter(changes: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(changes)) {
    if (!METER_FIELDS.includes(key)) return `${key}: no such field; there are ${METER_FIELDS.join(", ")}`;
    if (key === "type" && value !== "prepaid" && value !== "postpaid") return "type: prepaid or postpaid";
    if (key.endsWith("Kobo") && !(typeof value === "string" && DIGITS.test(value))) return `${key}: digits of kobo`;
    if (key === "name" && typeof value !== "string") return "name: a text";
    if (key === "address" && value !== null && typeof value !== "string") return "address: a text or null";
  }
  return undefined;
}

/** The field is no vendor's. */
const worldOf = ({ store, now }: Part): VendorWorld => new VendorWorld("", {}, store, now);

/** JSON has no bigint. */
const inJson = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (_key, member) => (typeof member === "bigint" ? String(member) : member))) as T;

/** The control API: what is in the field, what came over the wire, and what goes wrong next. For tests, so open to all. */
export function answerControl(part: Part, request: VendorRequest): ControlAnswer {
  for (const route of ROUTES) {
    const match = route.method === request.method ? route.path.exec(request.path) : null;
    if (!match) continue;
    const named = /^\/control\/([a-z-]+)\/(?:calls|vends|scenarios|settings)$/.exec(request.path)?.[1];
    if (named !== undefined && !part.vendors.some(({ name }) => name === named))
      return { status: 404, body: { errors: [`there is no vendor ${named}`] } };
    return part.store.transaction(() => route.answer(part, request, match.slice(1)));
  }
  const own = answerOwn(part, request);
  return own ?? { status: 404, body: { errors: [`${request.method} ${request.path} is not part of the control API`] } };
}

/** What one vendor has for itself. */
function answerOwn({ store, vendors, now }: Part, request: VendorRequest): ControlAnswer | undefined {
  const [, name, path = ""] = /^\/control\/([a-z-]+)\/(.+)$/.exec(request.path) ?? [];
  const vendor = vendors.find((candidate) => candidate.name === name);
  if (!vendor?.control) return undefined;
  try {
    const world = new VendorWorld(vendor.name, vendor.settings, store, now);
    const body = store.transaction(() => vendor.control?.(path, request, world));
    return body && ok(body);
  } catch (error) {
    if (error instanceof ControlFault) return wrong(error.message);
    throw error;
  }
}
