import type { MediaFile } from "../../ports/provider.ts";
import { readFields, textOf } from "../../vendor-text/fields.ts";
import { httpBytes } from "../http-call.ts";
import { type Graph, sayWhyNot } from "./graph.ts";
import type { WhatsappSettings } from "./settings.ts";

/** `code`: of the vendor's error, where the answer has one. */
export type Had<T> = { readonly had: T } | { readonly whyNot: string; readonly code?: string };

/** `POST /{phone_number_id}/media`, as multipart. Gives the media's id, which is good for about 30 days. */
export async function upload(
  graph: Graph,
  phoneNumberId: string,
  { bytes, mimeType, filename }: MediaFile,
  timeoutMs: number,
): Promise<Had<string>> {
  const body = new FormData();
  body.set("messaging_product", "whatsapp");
  body.set("type", mimeType);
  body.set("file", new Blob([new Uint8Array(bytes)], { type: mimeType }), filename ?? "file");
  const outcome = await graph.call("POST", `${phoneNumberId}/media`, { body, timeoutMs });
  const id =
    outcome.kind === "answered" && outcome.status < 300 ? textOf(readFields(outcome.text) ?? {}, ["id"]) : undefined;
  return id === undefined ? { whyNot: sayWhyNot(outcome) } : { had: id };
}

/**
 * In two steps: its address, which is good for five minutes only and so fetched anew each time, then the bytes, with the token.
 * Source: Meta, “Media”, download.
 */
export async function download(
  graph: Graph,
  fetchIt: typeof fetch,
  { baseUrl, mediaTimeoutMs }: Pick<WhatsappSettings, "baseUrl" | "mediaTimeoutMs">,
  id: string,
  bytesMax: number,
): Promise<Had<MediaFile>> {
  const told = await graph.call("GET", encodeURIComponent(id));
  const fields = told.kind === "answered" && told.status === 200 ? (readFields(told.text) ?? {}) : {};
  const url = textOf(fields, ["url"]);
  if (url === undefined) return { whyNot: sayWhyNot(told) };
  if (!mayHaveToken(url, baseUrl)) return { whyNot: "it is not at a host of Meta's" };
  if (Number(textOf(fields, ["file_size"]) ?? 0) > bytesMax) return { whyNot: `it is longer than ${bytesMax} bytes` };
  const outcome = await httpBytes(fetchIt, {
    method: "GET",
    url,
    headers: graph.authorization,
    timeoutMs: mediaTimeoutMs,
    answerBytesMax: bytesMax,
  });
  if (outcome.kind !== "answered") return { whyNot: outcome.detail };
  if (outcome.status !== 200) return { whyNot: `HTTP ${outcome.status}` };
  const type = textOf(fields, ["mime_type"]) ?? outcome.headers.get("content-type") ?? "application/octet-stream";
  return { had: { bytes: outcome.bytes, mimeType: type } };
}

const META = /^(?:[a-z0-9-]+\.)*(?:fbsbx\.com|facebook\.com|fbcdn\.net|whatsapp\.net|whatsapp\.com)$/;

/** The token goes to Meta alone, whatever an answer says. */
function mayHaveToken(url: string, baseUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin } = new URL(url);
  return origin === new URL(baseUrl).origin || (protocol === "https:" && META.test(hostname));
}
