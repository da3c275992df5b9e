import type { VendorAnswer, VendorRequest, VendorSimulator } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { control } from "./control.ts";
import { failure } from "./errors.ts";
import { deleteMedia, FILES, giveFile, noSuchObject, readMedia, uploadMedia } from "./media.ts";
import { send } from "./send.ts";
import { numberBy, SETTINGS } from "./settings.ts";
import { createTemplate, listTemplates } from "./templates.ts";

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
  handle(request, world) {
    const { headers, path } = request;
    if (headers.authorization !== `Bearer ${world.setting("accessToken")}`) return failure(190);
    if (path === FILES) return giveFile(request, world);
    const [, id = "", edge] = /^\/v\d+\.\d+\/([^/]+)(?:\/(messages|media|message_templates))?$/.exec(path) ?? [];
    return edge === undefined ? onObject(request, world, id) : onEdge(request, world, decodeURIComponent(id), edge);
  },
};

function onObject(request: VendorRequest, world: VendorWorld, id: string): VendorAnswer {
  if (request.method === "GET") return readMedia(request, world, id);
  return request.method === "DELETE" ? deleteMedia(world, id) : noSuchObject(id);
}

function onEdge(request: VendorRequest, world: VendorWorld, id: string, edge: string): VendorAnswer {
  if (edge === "message_templates") {
    if (id !== world.setting("wabaId")) return noSuchObject(id);
    return request.method === "GET" ? listTemplates(request, world) : createTemplate(request, world);
  }
  const number = numberBy(world, "phoneNumberId", id);
  if (!number || request.method !== "POST") return noSuchObject(id);
  return edge === "media" ? uploadMedia(request, world) : send(request, world, number);
}
