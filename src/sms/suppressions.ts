import type { Uuid } from "../kernel/ids.ts";
import { formatE164, type Msisdn } from "../kernel/msisdn.ts";
import type { Fault } from "../kernel/refusal.ts";

/** Recipients excluded from promotional messages from an account. */

/** The origin: the recipient, the network by its Do-Not-Disturb answer, or the account itself. */
export const SUPPRESSION_SOURCES = ["recipient", "network", "account"] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

/** What it keeps from the person: promotional SMS, marketing by chat, or both. */
export const SUPPRESSION_CHANNELS = ["all", "sms", "chat"] as const;
export type SuppressionChannel = (typeof SUPPRESSION_CHANNELS)[number];

export interface Suppression {
  readonly id: Uuid;
  /** The person's present one; null: it was never told. */
  readonly phone: Msisdn | null;
  /** The vendor's id of the person; null: none was told. */
  readonly userId: string | null;
  readonly channel: SuppressionChannel;
  readonly source: SuppressionSource;
  readonly reason: string;
  readonly createdAt: Date;
  /** Null: until it is taken back. */
  readonly expiresAt: Date | null;
}

export const optedOut = (to: Msisdn, pointer: string): Fault & { readonly code: "recipient_opted_out" } => ({
  pointer,
  code: "recipient_opted_out",
  detail: `${formatE164(to)} gets no promotional messages from you: see GET /sms/suppressions. Take it off your list; transactional messages still reach it.`,
});
