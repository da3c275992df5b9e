import { orderIn } from "../../providers/whatsapp-cloud/wire/reference.ts";
import { isRecord, parseJson } from "../vendors/json.ts";
import { json, type VendorAnswer, type VendorRequest, type VendorSimulator } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import {
  businessProfile,
  listNumbers,
  numberSettings,
  readBusiness,
  readNumber,
  SETUP_EDGES,
  subscribedApps,
} from "./account.ts";
import { control } from "./control.ts";
import { failure } from "./errors.ts";
import { deleteMedia, FILES, giveFile, noSuchObject, readMedia, uploadMedia } from "./media.ts";
import { send } from "./send.ts";
import { numberBy, SETTINGS, type SimulatedNumber } from "./settings.ts";
import { createTemplate, deleteTemplates, listTemplates, onTemplate } from "./templates.ts";

/** A document of 100 MB, in a form. */
const BODY_BYTES_MAX = 101 * 1024 * 1024;

/**
 * The part of Meta's Graph API that WhatsApp uses: messages, media, templates and webhooks.
 * Source: Meta, OpenAPI of the business messaging API, v23.0; docs/guides/vendor-simulators.md says what is steerable.
 */
export const whatsapp: VendorSimulator = {
  name: "whatsapp",
  settings: SETTINGS,
  bodyBytesMax: BODY_BYTES_MAX,
  control,
  chat: { orderOf: orderIn },
  handle(given, world) {
    const request = { ...given, body: parseJson(given.text) ?? unfolded(given.body) };
    const { headers, path, query } = request;
    const token = /^Bearer (.+)$/i.exec(String(headers.authorization ?? ""))?.[1] ?? query.get("access_token");
    if (token !== world.setting("accessToken")) return failure(190);
    if (path === FILES) return giveFile(request, world);
    const [, id = "", edge] = /^(?:\/v\d+\.\d+)?\/([^/]+)(?:\/(\w+))?$/.exec(ownPath(path)) ?? [];
    const name = decodeURIComponent(id);
    return edge === undefined ? onObject(request, world, name) : onEdge(request, world, name, edge);
  },
};

/** Some clients name a template under its account. */
const ownPath = (path: string): string => path.replace(/\/[^/]+\/message_templates(?=\/\d+$)/, "");

/** In a form objects and lists are written as JSON. */
function unfolded(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const read = (value: unknown) =>
    typeof value === "string" && /^[{[]/.test(value) ? (parseJson(value) ?? value) : value;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, read(value)]));
}

function onObject(request: VendorRequest, world: VendorWorld, id: string): VendorAnswer {
  const { method } = request;
  if (method === "GET" && id === world.setting("wabaId")) return readBusiness(request, world);
  const number = numberBy(world, "phoneNumberId", id);
  if (number) return method === "GET" ? readNumber(request, number) : json({ success: true });
  const template = onTemplate(request, world, id);
  if (template) return template;
  if (method === "GET") return readMedia(request, world, id);
  return method === "DELETE" ? deleteMedia(world, id) : noSuchObject(id);
}

type Edge = (request: VendorRequest, world: VendorWorld) => VendorAnswer;

/** Of the business account. */
const BUSINESS_EDGES: Readonly<Record<string, Edge>> = {
  "GET message_templates": listTemplates,
  "POST message_templates": createTemplate,
  "DELETE message_templates": deleteTemplates,
  "GET phone_numbers": listNumbers,
  "GET subscribed_apps": subscribedApps,
  "POST subscribed_apps": subscribedApps,
  "DELETE subscribed_apps": subscribedApps,
};

type NumberEdge = (request: VendorRequest, world: VendorWorld, number: SimulatedNumber) => VendorAnswer;

/** Of a number. */
const NUMBER_EDGES: Readonly<Record<string, NumberEdge>> = {
  "POST messages": send,
  "POST media": uploadMedia,
  "GET settings": numberSettings,
  "POST settings": numberSettings,
  "GET whatsapp_business_profile": businessProfile,
  "POST whatsapp_business_profile": businessProfile,
  ...Object.fromEntries(SETUP_EDGES.map((edge) => [`POST ${edge}`, () => json({ success: true })])),
};

function onEdge(request: VendorRequest, world: VendorWorld, id: string, edge: string): VendorAnswer {
  const call = `${request.method} ${edge}`;
  if (id === world.setting("wabaId"))
    return Object.hasOwn(BUSINESS_EDGES, call) ? BUSINESS_EDGES[call]!(request, world) : noSuchObject(id);
  const number = numberBy(world, "phoneNumberId", id);
  return number && Object.hasOwn(NUMBER_EDGES, call) ? NUMBER_EDGES[call]!(request, world, number) : noSuchObject(id);
}
