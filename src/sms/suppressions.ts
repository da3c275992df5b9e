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

/** The carriers' list, and what else the FCC's rule of 2025 counts as plain words. */
const STOP_WORDS: ReadonlySet<string> = new Set("STOP STOPALL UNSUBSCRIBE CANCEL END QUIT REVOKE OPTOUT".split(" "));
const START_WORDS: ReadonlySet<string> = new Set(["START", "UNSTOP"]);
/** Said along with the word without changing what is meant. */
const ALONG: ReadonlySet<string> = new Set(["NOW", "PLEASE", "PLS", "THANKS", "SMS", "MESSAGES", "TEXTS"]);

/**
 * What a recipient's message asks for. The word must be all that its first line says, because "please stop by at noon" asks for
 * nothing; how it is written does not matter: case, spaces, hyphens, quotes, emoji, full-width letters, invisible characters,
 * the word twice. What follows on further lines is a phone's signature.
 */
export function optWord(text: string): "stop" | "start" | undefined {
  const line = text
    .slice(0, LOOKED_AT_MAX)
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .split("\n", 1)[0]!;
  const said = (line.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !ALONG.has(word));
  const [first] = said;
  if (first === undefined) return undefined;
  const word = said.every((other) => other === first) ? first : said.join("");
  if (STOP_WORDS.has(word)) return "stop";
  return START_WORDS.has(word) ? "start" : undefined;
}
/** Longer than any signature. */
const LOOKED_AT_MAX = 1_000;

export const optedOut = (to: Msisdn, pointer: string): Fault & { readonly code: "recipient_opted_out" } => ({
  pointer,
  code: "recipient_opted_out",
  detail: `${formatE164(to)} gets no promotional messages from you: see GET /sms/suppressions. Take it off your list; transactional messages still reach it.`,
});
