import type { ChatReply } from "../vendors/chat-handset.ts";
import { ControlFault } from "../vendors/vendor.ts";
import type { VendorWorld } from "../vendors/world.ts";
import { storeMedia } from "./media.ts";
import { arrivalsAt, newMessageId } from "./messages.ts";
import { firstNumber, numberBy, type SimulatedNumber } from "./settings.ts";
import { userIdOf } from "./user-ids.ts";
import { tell } from "./webhook.ts";
import { open } from "./window.ts";

/** The handset writes, presses, reacts, …: a signed webhook goes out at once, and the window is open. Gives the message's id. */
export function reply(world: VendorWorld, msisdn: string, does: ChatReply): string {
  const to = numberFor(world, msisdn, does.to);
  const at = world.now - (does.secondsAgo ?? 0) * 1_000;
  const id = newMessageId();
  const context = does.inReplyTo === undefined ? {} : { context: { from: to.number, id: does.inReplyTo } };
  const userId = userIdOf(msisdn);
  const message = {
    ...(!does.hidesPhone && { from: msisdn }),
    from_user_id: userId,
    id,
    timestamp: String(Math.floor(at / 1_000)),
    ...context,
    ...said(world, msisdn, to, does),
  };
  open(world, to.number, msisdn, at);
  // A `system` message comes without contacts.
  const contacts = [
    { profile: { name: `Handset ${msisdn.slice(-4)}` }, ...(!does.hidesPhone && { wa_id: msisdn }), user_id: userId },
  ];
  const isSystem = "type" in message && message.type === "system";
  tell(world, world.now, to, { ...(!isSystem && { contacts }), messages: [message] });
  return id;
}

/** The business number that a handset writes to. */
export function numberFor(world: VendorWorld, msisdn: string, to: string | undefined): SimulatedNumber {
  const wanted = to?.replace(/^\+/, "") ?? arrivalsAt(world, msisdn).at(-1)?.from;
  const found = wanted === undefined ? firstNumber() : numberBy(world, "number", wanted);
  if (!found) throw new ControlFault("to: a number of the business");
  return found;
}

function said(world: VendorWorld, msisdn: string, to: SimulatedNumber, does: ChatReply): object {
  const { text, press, reaction, media, location, raw } = does;
  if (text !== undefined) return { type: "text", text: { body: text } };
  if (press) return pressed(world, msisdn, to, press);
  if (reaction) {
    const { messageId, emoji } = reaction;
    return { type: "reaction", reaction: { message_id: messageId, ...(emoji !== undefined && { emoji }) } };
  }
  if (media) return { type: media.kind, [media.kind]: stored(world, media) };
  if (location) return { type: "location", location };
  if (raw) return raw;
  throw new ControlFault("one of text, press, reaction, media, location or raw");
}

function pressed(
  world: VendorWorld,
  msisdn: string,
  to: SimulatedNumber,
  press: NonNullable<ChatReply["press"]>,
): object {
  const message = arrivalsAt(world, msisdn).find(({ id }) => id === press.messageId);
  const choice = message?.choices.find(({ id, url }) => id === press.id && url === undefined);
  if (!message || !choice)
    throw new ControlFault("press: a message on this handset, and the id of a button or row of it");
  const context = { from: to.number, id: message.id };
  const { id, title } = choice;
  if (message.template) return { type: "button", context, button: { payload: id, text: title } };
  const kind = message.isList ? "list_reply" : "button_reply";
  return { type: "interactive", context, interactive: { type: kind, [kind]: { id, title } } };
}

const TYPES: Readonly<Record<NonNullable<ChatReply["media"]>["kind"], string>> = {
  image: "image/png",
  video: "video/mp4",
  audio: "audio/ogg",
  document: "application/pdf",
  sticker: "image/webp",
};

/** A picture of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function stored(world: VendorWorld, media: NonNullable<ChatReply["media"]>): object {
  const { kind, mimeType = TYPES[kind], caption, filename, base64 = PIXEL } = media;
  const { id, sha256 } = storeMedia(world, Buffer.from(base64, "base64"), mimeType, filename);
  return {
    id,
    mime_type: mimeType,
    sha256,
    ...(caption !== undefined && { caption }),
    ...(filename !== undefined && { filename }),
    ...(kind === "audio" && { voice: true }),
  };
}
