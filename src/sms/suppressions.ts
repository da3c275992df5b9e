import type { Uuid } from "../kernel/ids.ts";
import { formatE164, type Msisdn } from "../kernel/msisdn.ts";
import type { Fault } from "../kernel/refusal.ts";

/** Numbers that get no promotional messages from an account. */

/** Who said so: the recipient by STOP, the network by its Do-Not-Disturb answer, or the account itself. */
export const SUPPRESSION_SOURCES = ["recipient", "network", "account"] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

export interface Suppression {
  readonly id: Uuid;
  readonly phone: Msisdn;
  readonly source: SuppressionSource;
  readonly reason: string;
  readonly createdAt: Date;
  /** Null: until it is taken back. */
  readonly expiresAt: Date | null;
}

const STOP_WORDS: ReadonlySet<string> = new Set(["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"]);
const START_WORDS: ReadonlySet<string> = new Set(["START", "UNSTOP"]);

/**
 * What a recipient's message asks for. Only a whole message counts: "please stop by at noon" asks for nothing. Case, spaces
 * and trailing punctuation are ignored: "Stop all!" is STOPALL.
 */
export function optWord(text: string): "stop" | "start" | undefined {
  const written = text.replaceAll(/\s+/g, "").toUpperCase();
  if (written.length > OPT_TEXT_MAX) return undefined;
  const word = written.replace(/\p{P}+$/u, "");
  if (STOP_WORDS.has(word)) return "stop";
  return START_WORDS.has(word) ? "start" : undefined;
}
/** With its punctuation. */
const OPT_TEXT_MAX = 40;

export const optedOut = (to: Msisdn, pointer: string): Fault & { readonly code: "recipient_opted_out" } => ({
  pointer,
  code: "recipient_opted_out",
  detail: `${formatE164(to)} gets no promotional messages from you: see GET /sms/suppressions. Take it off your list; transactional messages still reach it.`,
});
