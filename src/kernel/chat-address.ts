import { type Msisdn, type PhoneFault, parseMsisdn } from "./msisdn.ts";
import { ok, type Result } from "./result.ts";

/** Where a person is reached by chat: a phone, or the vendor's id of a user who may hide the phone (`NG.13491208655302741918`). */
export type ChatAddress = Msisdn | UserId;
export type UserId = string & { readonly __type: "user id" };

/**
 * Letters, a dot, and up to 128 letters and digits; a parent's id has `ENT.` in between. Upper and lower case differ. Source: Meta,
 * “Business-scoped user IDs”.
 */
const USER_ID = /^[A-Za-z]{2,16}\.(?:[A-Za-z0-9]{1,16}\.)?[A-Za-z0-9]{1,128}$/;

/** The longest that is read as an address. */
export const CHAT_ADDRESS_MAX = 170;

export const isUserId = (address: string): address is UserId => USER_ID.test(address);

/** Reads a phone as `parseMsisdn` does, or an id as it is shown. */
export function parseChatAddress(input: string, mode: "live" | "test"): Result<ChatAddress, PhoneFault> {
  const address = input.trim();
  return isUserId(address) ? ok(address) : parseMsisdn(input, mode);
}

/** As it goes out on the wire. Only phones have a plus. */
export const formatChatAddress = (address: string): string => (/^\d+$/.test(address) ? `+${address}` : address);
