import { isUtf8 } from "node:buffer";
import type { MediaKind } from "../ports/chat-payload.ts";

/** What Meta takes, by kind. Source: Cloud API reference, supported media types. WebP is a sticker there, not an image. */

const MEBIBYTE = 1_024 * 1_024;

const WORD = "application/msword";
const EXCEL = "application/vnd.ms-excel";
const POWERPOINT = "application/vnd.ms-powerpoint";
const OPEN_XML = [
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
];

interface KindFacts {
  readonly bytesMax: number;
  readonly mimeTypes: readonly string[];
}

export const MEDIA_KINDS: Readonly<Record<MediaKind, KindFacts>> = {
  image: { bytesMax: 5 * MEBIBYTE, mimeTypes: ["image/jpeg", "image/png"] },
  video: { bytesMax: 16 * MEBIBYTE, mimeTypes: ["video/mp4", "video/3gpp"] },
  document: {
    bytesMax: 100 * MEBIBYTE,
    mimeTypes: ["application/pdf", "text/plain", WORD, EXCEL, POWERPOINT, ...OPEN_XML],
  },
};

export const kindOf = (mimeType: string): MediaKind | undefined =>
  (Object.keys(MEDIA_KINDS) as MediaKind[]).find((kind) => MEDIA_KINDS[kind].mimeTypes.includes(mimeType));

const ALIASES: Readonly<Record<string, string>> = { "image/jpg": "image/jpeg", "video/3gp": "video/3gpp" };

/** `image/JPG; q=1` → `image/jpeg`. What says nothing is undefined. */
export function declaredType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "" || type === "application/octet-stream" || type === "binary/octet-stream") return undefined;
  return ALIASES[type] ?? type;
}

/**
 * The type that a file has by its first bytes, whatever it is called; undefined when they tell none that can be sent. Word,
 * Excel and PowerPoint share their containers, so which of them it is has to be declared.
 */
export async function typeOfBytes(start: Buffer, declared: string | undefined): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import("file-type");
  const found = (await fileTypeFromBuffer(start))?.mime;
  if (found === "application/x-cfb") return [WORD, EXCEL, POWERPOINT].find((type) => type === declared);
  if (found === "application/zip") return OPEN_XML.find((type) => type === declared);
  if (found !== undefined) return ALIASES[found] ?? found;
  return isText(start) ? "text/plain" : undefined;
}

/** A start may end within a character, of at most four bytes. */
function isText(start: Buffer): boolean {
  if (start.length === 0 || start.includes(0) || /^\s*<(?:!doctype|html|\?xml)/i.test(start.toString("latin1", 0, 512)))
    return false;
  return [0, 1, 2, 3].some((cut) => isUtf8(start.subarray(0, start.length - cut)));
}

/** What is said of a file whose bytes are not what it says, or nothing that can be sent. */
export const wrongType = (declared: string | undefined, type: string | undefined): string => {
  const bytes = type === undefined ? "are of no type that can be sent" : `are ${type}`;
  if (declared !== undefined && declared !== type) return `It says ${declared}, but its bytes ${bytes}.`;
  return type === undefined ? `Its bytes ${bytes}.` : `Its bytes ${bytes}, which can't be sent.`;
};
