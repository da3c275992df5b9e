import { badCharacter } from "../kernel/bad-character.ts";
import { REFERENCE_CHARACTERS_MAX } from "../kernel/reference.ts";
import type { SmsItem } from "./sms.service.ts";

export interface TextFault {
  readonly field: "message" | "reference";
  readonly code: "invalid_character" | "too_short" | "too_long";
  readonly detail: string;
}

/** What is wrong with the form of an item's texts; the number and the length of the message are looked at elsewhere. */
export function textFault({ message, reference }: SmsItem): TextFault | undefined {
  const inMessage = badCharacter(message);
  if (inMessage) return { field: "message", code: "invalid_character", detail: `The message has ${inMessage}.` };
  if (reference === undefined) return undefined;
  const inReference = badCharacter(reference);
  if (inReference)
    return { field: "reference", code: "invalid_character", detail: `The reference has ${inReference}.` };
  if (reference === "") return { field: "reference", code: "too_short", detail: "The reference is empty." };
  if ([...reference].length <= REFERENCE_CHARACTERS_MAX) return undefined;
  const detail = `The reference may have at most ${REFERENCE_CHARACTERS_MAX} characters.`;
  return { field: "reference", code: "too_long", detail };
}

/** Longer than any number, in any form. */
const SHOWN_MAX = 40;

/** What came as a recipient, fit to be stored and shown: cut, and without what no text may have. */
export function shownRecipient(to: string): string {
  const shown = to.length > SHOWN_MAX ? `${to.slice(0, SHOWN_MAX)}…` : to;
  return shown.toWellFormed().replaceAll("\0", "\ufffd");
}
