import { createHash } from "node:crypto";
import type { Uuid } from "../../kernel/ids.ts";
import { lagosMinuteDigits } from "../../kernel/lagos.ts";

/** 36^16 is as good as random, and 28 characters in all are well inside what the vendor takes. */
const SUFFIX_CHARACTERS = 16;

/**
 * The `request_id` of an attempt: twelve digits that are the date and time in Lagos, then letters and digits.
 * The suffix comes from order and attempt alone, so that an attempt that is begun twice within the minute has one id, and
 * `014` guards it. Source: the vendor's documentation, request ID.
 */
export function makeRequestId({ orderId, attempt }: { orderId: Uuid; attempt: number }, at: Date): string {
  const digest = createHash("sha256").update(`${orderId}:${attempt}`).digest("hex");
  const suffix = BigInt(`0x${digest}`).toString(36).slice(-SUFFIX_CHARACTERS).padStart(SUFFIX_CHARACTERS, "0");
  return lagosMinuteDigits(at) + suffix;
}

/** Whether a callback may name this: all else is not ours. */
export const isRequestId = (text: unknown): text is string =>
  typeof text === "string" && /^\d{12}[0-9a-z]{16}$/.test(text);
