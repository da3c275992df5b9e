import type { InboundChat } from "../../kernel/chat-payload.ts";
import { type Fields, fieldsOf, isFields } from "../../kernel/vendor-fields.ts";
import type { InboundMessage } from "../provider.ts";
import type { WhatsappSettings } from "./settings.ts";
import { timeOf } from "./time.ts";

const MEDIA: readonly string[] = ["image", "video", "audio", "document", "sticker"];

/** Of what we have no words for, so many characters of JSON are kept: the order's facts are bounded as a whole. */
const RAW_MAX = 2_000;

/** What a type of message says, in our words. `raw`: also as it came. */
type Said = Omit<InboundChat, "type" | "profile_name" | "in_reply_to" | "raw"> & {
  readonly text?: string;
  readonly raw?: true;
};

/**
 * A message that somebody wrote. `value` is what stands around it. Undefined without an id or a sender: nothing could be
 * recorded once. Source: Meta, webhooks, “messages”; OpenAPI of the business messaging API, v23.0.
 */
export function inboundOf(
  message: Fields,
  value: Fields,
  numbers: WhatsappSettings["numbers"],
  receivedAt: Date,
  names: ReadonlyMap<string, string> = namesIn(value),
): InboundMessage | undefined {
  const id = wordIn(message, "id");
  // People with a user name may write without showing their phone.
  const from = wordIn(message, "from") ?? wordIn(message, "from_user_id");
  if (id === undefined || from === undefined) return undefined;
  const type = wordIn(message, "type") ?? "unknown";
  const { text = "", raw, ...said } = saidIn(type, message);
  const replied = wordIn(fieldsOf(message.context), "id");
  const name = names.get(from);
  const facts: InboundChat = {
    type,
    ...said,
    ...(replied !== undefined && { in_reply_to: replied }),
    ...(name !== undefined && { profile_name: name }),
    ...(raw && JSON.stringify(message).length <= RAW_MAX && { raw: message }),
  };
  return {
    providerReference: id,
    from,
    to: numberOf(fieldsOf(value.metadata), numbers),
    text,
    at: timeOf(message.timestamp, receivedAt),
    facts: { ...facts },
  };
}

/** The id is the number's name; how it is displayed counts for one that is not configured, with spaces and a plus now and then. */
function numberOf(metadata: Fields, numbers: WhatsappSettings["numbers"]): string {
  const id = wordIn(metadata, "phone_number_id");
  const known = numbers.find(({ phoneNumberId }) => phoneNumberId === id);
  return known?.number ?? (wordIn(metadata, "display_phone_number") ?? "").replaceAll(/\D/g, "");
}

function saidIn(type: string, message: Fields): Said {
  const part = fieldsOf(message[type]);
  // What could not be brought (131051, 131052) comes under its type or as `unsupported`, with errors.
  if (Array.isArray(message.errors)) return { raw: true };
  if (MEDIA.includes(type)) return media(part);
  switch (type) {
    case "text":
      return says(part, "body");
    // A quick reply of a template.
    case "button":
      return {
        ...says(part, "text"),
        choice: { id: wordIn(part, "payload") ?? "", title: wordIn(part, "text") ?? "" },
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
    default:
      return { raw: true };
  }
}

const says = (part: Fields, key: string): Said => ({ text: wordIn(part, key) ?? "" });

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
  };
}

/** The answer to a flow has no id: it is kept as it came. */
function chosen(reply: Fields): Said {
  const [id, title] = [wordIn(reply, "id"), wordIn(reply, "title")];
  return id === undefined || title === undefined ? { raw: true } : { text: title, choice: { id, title } };
}

/** Without an emoji it is taken back. */
function reaction(part: Fields): Said {
  const [message_id, emoji] = [wordIn(part, "message_id"), wordIn(part, "emoji")];
  if (message_id === undefined) return { raw: true };
  return { reaction: { message_id, ...(emoji !== undefined && { emoji }) } };
}

function location(part: Fields): Said {
  const [latitude, longitude] = [Number(part.latitude ?? Number.NaN), Number(part.longitude ?? Number.NaN)];
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return { raw: true };
  const [name, address] = [wordIn(part, "name"), wordIn(part, "address")];
  return {
    location: { latitude, longitude, ...(name !== undefined && { name }), ...(address !== undefined && { address }) },
  };
}

/** What the people who wrote call themselves, by phone and by the id of those who hide it. */
export function namesIn({ contacts }: Fields): ReadonlyMap<string, string> {
  const all = Array.isArray(contacts) ? (contacts as readonly unknown[]).filter(isFields) : [];
  return new Map(
    all.flatMap((contact) => {
      const name = wordIn(fieldsOf(contact.profile), "name");
      const ids = [wordIn(contact, "wa_id"), wordIn(contact, "user_id")];
      return name === undefined ? [] : ids.flatMap((id) => (id === undefined ? [] : [[id, name] as const]));
    }),
  );
}

/** As it stands: what a person writes is neither trimmed nor taken for nothing. */
function wordIn(fields: Fields, key: string): string | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
