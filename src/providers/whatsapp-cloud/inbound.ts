import type { InboundChat } from "../../ports/chat-payload.ts";
import type { InboundMessage } from "../../ports/provider.ts";
import { type Fields, fieldsOf } from "../../vendor-text/fields.ts";
import { saidIn } from "./content.ts";
import { changeIn, namesIn, senderOf } from "./people.ts";
import type { WhatsappSettings } from "./settings.ts";
import { timeOf } from "./time.ts";
import { wordIn } from "./words.ts";

/** What of a message is read here; with anything else it is kept as it came, too. */
const KNOWN = ["id", "from", "from_user_id", "timestamp", "type", "context", "referral", "group_id"];
const KNOWN_CONTEXT = ["id", "from", "from_user_id", "forwarded", "frequently_forwarded", "referred_product"];

const hasMore = (fields: Fields, known: readonly string[]): boolean =>
  Object.keys(fields).some((key) => !known.includes(key));

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
  const change = changeIn(message);
  const { from = change?.known_as?.[0], ...known } = { ...senderOf(message), ...change };
  if (id === undefined || from === undefined) return undefined;
  const type = wordIn(message, "type") ?? "unknown";
  const { text = "", raw, ...words } = saidIn(type, message);
  const groupId = wordIn(message, "group_id");
  const context = fieldsOf(message.context);
  const replied = wordIn(context, "id");
  const name = names.get(from);
  const isAll = raw !== true && !hasMore(message, [...KNOWN, type]) && !hasMore(context, KNOWN_CONTEXT);
  const facts: InboundChat = {
    type,
    ...words,
    ...known,
    ...(replied !== undefined && { in_reply_to: replied }),
    ...(name !== undefined && { profile_name: name }),
    ...(message.referral !== undefined && { referral: message.referral }),
    ...(context.referred_product !== undefined && { referred_product: context.referred_product }),
    ...(context.forwarded === true && { forwarded: true }),
    ...(context.frequently_forwarded === true && { frequently_forwarded: true }),
    ...(groupId !== undefined && { group_id: groupId }),
    ...(!isAll && { raw: message }),
  };
  return {
    providerReference: id,
    from,
    to: numberOf(value, numbers),
    text,
    at: timeOf(message.timestamp, receivedAt),
    facts: { ...facts },
  };
}

/** The id is the number's name; how it is displayed counts for one that is not configured, with spaces and a plus now and then. */
export function numberOf(value: Fields, numbers: WhatsappSettings["numbers"]): string {
  const metadata = fieldsOf(value.metadata);
  const id = wordIn(metadata, "phone_number_id");
  const known = numbers.find(({ phoneNumberId }) => phoneNumberId === id);
  return known?.number ?? (wordIn(metadata, "display_phone_number") ?? "").replaceAll(/\D/g, "");
}
