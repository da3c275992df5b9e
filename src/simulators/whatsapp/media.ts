import { createHash, randomInt } from "node:crypto";
import { readMultipart } from "../vendors/multipart.ts";
import { json, type VendorAnswer, type VendorRequest } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { failure } from "./errors.ts";
import { numberSetting } from "./settings.ts";

const MB = 1024 * 1024;

/** Types with the longest file, by kind. Source: Meta, “Media”, supported types. */
const LONGEST: readonly (readonly [type: RegExp, bytesMax: number])[] = [
  [/^image\/(?:jpeg|png)$/, 5 * MB],
  [/^image\/webp$/, 500 * 1024],
  [/^video\/(?:mp4|3gpp)$/, 16 * MB],
  [/^audio\/(?:aac|amr|mpeg|mp4|ogg)$/, 16 * MB],
  [/^(?:text\/plain|application\/(?:pdf|msword|vnd\.[\w.-]+))$/, 100 * MB],
];

/** A file that the network keeps. */
export interface StoredMedia {
  readonly id: string;
  readonly mimeType: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly filename?: string;
}

export const mediaOf = (world: VendorWorld, id: string): StoredMedia | undefined =>
  (world.recall(`media:${id}`) ?? undefined) as StoredMedia | undefined;

/** Sixteen digits, below 2^53 as the vendor's are: clients read and write them as numbers. */
const newMediaId = (): string => `44${String(randomInt(10 ** 14)).padStart(14, "0")}`;

export function storeMedia(world: VendorWorld, bytes: Uint8Array, mimeType: string, filename?: string): StoredMedia {
  const id = newMediaId();
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const media = { id, mimeType, sha256, bytes: bytes.length, ...(filename !== undefined && { filename }) };
  world.keep(`media:${id}`, media);
  world.keepFile(id, bytes);
  return media;
}

const UNTYPED = "application/octet-stream";

/** POST /{phone_number_id}/media. */
export function uploadMedia({ headers, bytes, query }: VendorRequest, world: VendorWorld): VendorAnswer {
  const parts = readMultipart(String(headers["content-type"] ?? ""), bytes);
  const field = (name: string) => parts?.find((part) => part.name === name);
  if ((field("messaging_product")?.bytes.toString() ?? query.get("messaging_product")) !== "whatsapp")
    return failure(100, "The parameter messaging_product is required.");
  const file = field("file");
  if (!file || file.bytes.length === 0) return failure(100, "The parameter file is required.");
  // What a client sends that does not know the file's type is looked at no further.
  const own = file.contentType === UNTYPED ? undefined : file.contentType;
  const type = own ?? field("type")?.bytes.toString() ?? file.contentType ?? "";
  const [, longest] = LONGEST.find(([known]) => known.test(type)) ?? [];
  if (longest === undefined)
    return failure(100, `Param file must be a file of a supported type. Received file of type '${type}'.`);
  if (file.bytes.length > longest) return failure(131053, `The file is larger than ${longest} bytes.`);
  return json({ id: storeMedia(world, file.bytes, type, file.filename).id });
}

/** GET /{media_id}: where it is, for five minutes. */
export function readMedia({ headers }: VendorRequest, world: VendorWorld, id: string): VendorAnswer {
  const media = mediaOf(world, id);
  if (!media) return noSuchObject(id);
  const until = world.now + numberSetting(world, "mediaUrlSeconds") * 1_000;
  return json({
    messaging_product: "whatsapp",
    url: `http://${headers.host}${FILES}?mid=${id}&ext=${until}&hash=${media.sha256.slice(0, 20)}`,
    mime_type: media.mimeType,
    sha256: media.sha256,
    file_size: String(media.bytes),
    id,
  });
}

/** At the vendor this is another host. */
export const FILES = "/whatsapp_business/attachments/";

/** The file itself. */
export function giveFile({ query }: VendorRequest, world: VendorWorld): VendorAnswer {
  const id = query.get("mid") ?? "";
  const media = mediaOf(world, id);
  const bytes = world.file(id);
  if (!media || !bytes || !(Number(query.get("ext")) >= world.now)) return { status: 404, body: "" };
  return { status: 200, headers: { "content-type": media.mimeType }, body: bytes };
}

/** DELETE /{media_id}. */
export function deleteMedia(world: VendorWorld, id: string): VendorAnswer {
  if (!mediaOf(world, id)) return noSuchObject(id);
  world.keep(`media:${id}`, null);
  world.keepFile(id, null);
  return json({ success: true });
}

export const noSuchObject = (id: string): VendorAnswer =>
  failure(
    100,
    `Unsupported request. Object with ID '${id}' does not exist, or can't be loaded due to missing permissions.`,
  );
