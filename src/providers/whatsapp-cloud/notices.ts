import { hash } from "node:crypto";
import type { InboundChat } from "../../ports/chat-payload.ts";
import type { InboundMessage } from "../../ports/provider.ts";
import type { Fields } from "../../vendor-text/fields.ts";
import { numberOf } from "./inbound.ts";
import { namesIn, updateIn } from "./people.ts";
import type { WhatsappSettings } from "./settings.ts";
import { timeOf } from "./time.ts";
import { each, listOf, wordIn } from "./words.ts";

/**
 * What a person did without writing: said in the app whether marketing is wanted, called, or got another id. It is told and kept like a
 * message, once. Source: Meta, webhooks, “user_preferences”, “user_id_update” and “calls”.
 */
type Notice = { readonly id?: string; readonly from: string | undefined; readonly text: string } & Pick<
  InboundChat,
  "user_id" | "known_as" | "formerly" | "preference"
>;

const PREFERENCES: Readonly<Record<string, InboundChat["preference"]>> = { stop: "stop", resume: "resume" };

/** By the field of the change, which is also the name of the list in it: the type that it is kept under, and how it is read. */
const NOTICES: Readonly<Record<string, { readonly type: string; read(item: Fields): Notice | undefined }>> = {
  user_preferences: {
    type: "user_preferences",
    read(item) {
      const [phone, userId] = [wordIn(item, "wa_id"), wordIn(item, "user_id")];
      const value = wordIn(item, "value") ?? "";
      const isMarketing = wordIn(item, "category") === "marketing_messages";
      const preference = isMarketing && Object.hasOwn(PREFERENCES, value) ? PREFERENCES[value] : undefined;
      return {
        from: phone ?? userId,
        text: wordIn(item, "detail") ?? "",
        ...(userId !== undefined && { user_id: userId }),
        ...(phone !== undefined && userId !== undefined && { known_as: each(phone, userId) }),
        ...(preference && { preference }),
      };
    },
  },
  user_id_update: {
    type: "user_id_update",
    read(item) {
      const update = updateIn(item);
      return update && { from: wordIn(item, "wa_id") ?? update.user_id, text: wordIn(item, "detail") ?? "", ...update };
    },
  },
  calls: {
    type: "call",
    read(item) {
      if (wordIn(item, "direction") !== "USER_INITIATED") return undefined;
      const [id, phone, userId] = [wordIn(item, "id"), wordIn(item, "from"), wordIn(item, "from_user_id")];
      return {
        ...(id !== undefined && { id }),
        from: phone ?? userId,
        text: "",
        ...(userId !== undefined && { user_id: userId }),
        ...(phone !== undefined && userId !== undefined && { known_as: each(phone, userId) }),
      };
    },
  },
};

export const isNotice = (field: unknown): field is string => typeof field === "string" && Object.hasOwn(NOTICES, field);

/** Of one change: all that can be read. What a business did itself, a call for one, is no notice. */
export function noticesIn(
  field: string,
  value: Fields,
  numbers: WhatsappSettings["numbers"],
  receivedAt: Date,
): readonly InboundMessage[] {
  const { type, read } = NOTICES[field]!;
  const [to, names] = [numberOf(value, numbers), namesIn(value)];
  return listOf(value[field]).flatMap((item) => {
    const notice = read(item);
    if (notice?.from === undefined) return [];
    const { id, from, text, ...known } = notice;
    const name = names.get(from);
    const facts: InboundChat = { type, ...known, ...(name !== undefined && { profile_name: name }), raw: item };
    // Most have no id of their own: what it says, and when, is the same when it is told again.
    const providerReference = id ?? `${field}:${hash("sha256", JSON.stringify([to, item]))}`;
    return [{ providerReference, from, to, text, at: timeOf(item.timestamp, receivedAt), facts: { ...facts } }];
  });
}
