import type { InboundChat } from "../../ports/chat-payload.ts";
import { type Fields, fieldsOf } from "../../vendor-text/fields.ts";
import { wordIn } from "./words.ts";

const MEDIA: readonly string[] = ["image", "video", "audio", "document", "sticker"];

/** What a type of message says, in our words. `raw`: not all of it. */
export type Said = Partial<Pick<InboundChat, "media" | "choice" | "reaction" | "location" | "edits" | "revokes">> & {
  readonly text?: string;
  readonly raw?: true;
};

/** Source: Meta, webhooks, “messages”; OpenAPI of the business messaging API, v23.0. */
export function saidIn(type: string, message: Fields): Said {
  const said = partSaid(type, fieldsOf(message[type]));
  if (!Array.isArray(message.errors)) return said;
  // What could not be brought (131051, 131052) comes under its type or as `unsupported`, with errors: what was said counts, files do not.
  const { text, choice } = said;
  return { ...(text !== undefined && { text }), ...(choice && { choice }), raw: true };
}

function partSaid(type: string, part: Fields): Said {
  if (MEDIA.includes(type)) return media(part);
  switch (type) {
    case "text":
      return { ...says(part, "body"), ...rest(part, "body") };
    // A quick reply of a template.
    case "button":
      return {
        ...says(part, "text"),
        choice: { id: wordIn(part, "payload") ?? "", title: wordIn(part, "text") ?? "" },
        ...rest(part, "payload", "text"),
      };
    case "interactive":
      return chosen(fieldsOf(part.button_reply ?? part.list_reply));
    case "reaction":
      return reaction(part);
    case "location":
      return location(part);
    case "system":
      return { ...says(part, "body"), raw: true };
    case "order":
      return { ...says(part, "text"), raw: true };
    case "edit":
      return edited(part);
    case "revoke":
      return { ...named(part, "revokes"), raw: true };
    default:
      return { raw: true };
  }
}

const says = (part: Fields, key: string): Said => ({ text: wordIn(part, key) ?? "" });

/** What is there besides these fields is kept as it came. */
const rest = (part: Fields, ...known: readonly string[]): Said =>
  Object.keys(part).every((key) => known.includes(key)) ? {} : { raw: true };

function media(part: Fields): Said {
  const id = wordIn(part, "id");
  if (id === undefined) return { raw: true };
  const [sha256, filename] = [wordIn(part, "sha256"), wordIn(part, "filename")];
  return {
    ...says(part, "caption"),
    media: {
      id,
      mime_type: wordIn(part, "mime_type") ?? "application/octet-stream",
      ...(sha256 !== undefined && { sha256 }),
      ...(filename !== undefined && { filename }),
    },
    ...rest(part, "id", "mime_type", "sha256", "filename", "caption"),
  };
}

/** The answer to a flow has no id: it is kept as it came. */
function chosen(reply: Fields): Said {
  const [id, title] = [wordIn(reply, "id"), wordIn(reply, "title")];
  return id === undefined || title === undefined
    ? { raw: true }
    : { text: title, choice: { id, title }, ...rest(reply, "id", "title") };
}

/** Without an emoji it is taken back. */
function reaction(part: Fields): Said {
  const [message_id, emoji] = [wordIn(part, "message_id"), wordIn(part, "emoji")];
  if (message_id === undefined) return { raw: true };
  return { reaction: { message_id, ...(emoji !== undefined && { emoji }) }, ...rest(part, "message_id", "emoji") };
}

function location(part: Fields): Said {
  const [latitude, longitude] = [Number(part.latitude ?? Number.NaN), Number(part.longitude ?? Number.NaN)];
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return { raw: true };
  const [name, address] = [wordIn(part, "name"), wordIn(part, "address")];
  return {
    location: { latitude, longitude, ...(name !== undefined && { name }), ...(address !== undefined && { address }) },
    ...rest(part, "latitude", "longitude", "name", "address"),
  };
}

/** The whole message as it is now, a level further down: its words are those that count. */
function edited(part: Fields): Said {
  const message = fieldsOf(part.message);
  const type = wordIn(message, "type") ?? "";
  const { text, media: file } = type === "edit" ? {} : saidIn(type, message);
  return { ...named(part, "edits"), ...(text !== undefined && { text }), ...(file && { media: file }), raw: true };
}

function named(part: Fields, what: "edits" | "revokes"): Said {
  const id = wordIn(part, "original_message_id");
  return id === undefined ? {} : { [what]: id };
}
