import type { InboundChat } from "../../ports/chat-payload.ts";
import { type Fields, fieldsOf } from "../../vendor-text/fields.ts";
import { each, listOf, wordIn } from "./words.ts";

/**
 * Who a person is. Meta names people by phone (`wa_id`, `from`) and by an id of the user (`user_id`, `from_user_id`), which is always there
 * and stands alone for those who hide their phone; it changes with the phone. Source: Meta, “Business-scoped user IDs” and webhooks,
 * “System messages”.
 */

type Known = Pick<InboundChat, "user_id" | "known_as" | "formerly">;

const knownAs = (phone: string | undefined, userId: string | undefined, formerly: readonly string[] = []): Known => {
  const now = each(phone, userId);
  return {
    ...(userId !== undefined && { user_id: userId }),
    ...((now.length > 1 || formerly.length > 0) && { known_as: now }),
    ...(formerly.length > 0 && { formerly }),
  };
};

/** The addresses in a message, and by which of them it is answered: the phone, where it is shown. */
export function senderOf(message: Fields): { readonly from: string | undefined } & Known {
  const [phone, userId] = [wordIn(message, "from"), wordIn(message, "from_user_id")];
  return { from: phone ?? userId, ...knownAs(phone ?? sharedPhone(message), userId) };
}

/** The own phone, which a person who hides it gave when asked for it. Others' contacts say nothing of the sender. */
function sharedPhone({ type, contacts }: Fields): string | undefined {
  const shared = type === "contacts" ? listOf(contacts).find(({ origin }) => origin === "contact_request") : undefined;
  return shared && listOf(shared.phones).flatMap((phone) => each(wordIn(phone, "wa_id")))[0];
}

/** “User Ada changed from NG.1 to NG.2” names the former id where no field does. */
const CHANGED = / changed from (\S+) to \S+$/;

/** A system message that the person goes by another phone, another id, or both. Undefined for all others. */
export function changeIn(message: Fields): Known | undefined {
  const system = fieldsOf(message.system);
  const type = wordIn(system, "type") ?? "";
  if (!["user_changed_number", "user_changed_user_id", "customer_changed_number"].includes(type)) return undefined;
  const [phone, userId] = [wordIn(system, "wa_id") ?? wordIn(system, "new_wa_id"), wordIn(system, "user_id")];
  const [, told] = CHANGED.exec(wordIn(system, "body") ?? "") ?? [];
  const former = each(
    wordIn(message, "from"),
    wordIn(message, "from_user_id"),
    wordIn(system, "previous_user_id"),
    told?.includes(".") ? told : undefined,
  );
  return changed(phone, userId, former);
}

/** Of a `user_id_update`: the phone, where it is shown, is the present one. */
export function updateIn(update: Fields): Known | undefined {
  const userId = fieldsOf(update.user_id);
  return changed(wordIn(update, "wa_id"), wordIn(userId, "current"), each(wordIn(userId, "previous")));
}

/** An id that stays the same is not a former one. Undefined: the person can't be recognised. */
function changed(phone: string | undefined, userId: string | undefined, former: readonly string[]): Known | undefined {
  const left = former.filter((address) => address !== phone && address !== userId);
  return phone === undefined && userId === undefined ? undefined : knownAs(phone, userId, left);
}

/** What the people who wrote call themselves, by phone and by the id of those who hide it. */
export function namesIn({ contacts }: Fields): ReadonlyMap<string, string> {
  return new Map(
    listOf(contacts).flatMap((contact) => {
      const name = wordIn(fieldsOf(contact.profile), "name");
      const ids = each(wordIn(contact, "wa_id"), wordIn(contact, "user_id"));
      return name === undefined ? [] : ids.map((id) => [id, name] as const);
    }),
  );
}
