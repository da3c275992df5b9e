import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Result } from "../kernel/result.ts";
import type { SpendCap } from "../kernel/spend-cap.ts";

export const CUSTOMER_CHANNELS = ["sms", "chat"] as const;
export type CustomerChannel = (typeof CUSTOMER_CHANNELS)[number];

/** A message that the gateway itself sends to a subscriber's customer, at the subscriber's cost: a token, a confirmation. */
export interface CustomerMessage {
  readonly channel: CustomerChannel;
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** MSISDN without `+`. */
  readonly to: string;
  readonly text: string;
  /** What is stored and shown instead of the text, where that is a secret: it is then readable on the handset alone. */
  readonly shownAs?: string;
  /** Chosen by whoever sends it, so that however often it is tried there is one message. */
  readonly id: Uuid;
  /** Of the key that asked for it, if one did and has a cap. */
  readonly spendCap?: SpendCap;
  /** How the request that asked for it names itself, for repeats. */
  readonly keys?: { readonly idempotencyKey: string | undefined; readonly fingerprint: Buffer };
}

export interface SentCustomerMessage {
  /** Of the earlier message, for a repeat. */
  readonly id: Uuid;
  readonly status: string;
  readonly to: string;
  readonly priceKobo: Kobo;
  readonly taxKobo: Kobo;
  readonly replayed: boolean;
}

/** The port between the services that have something to tell and those that deliver it. Accepted, not delivered, when it resolves. */
export type SendToCustomer = (message: CustomerMessage) => Promise<Result<SentCustomerMessage>>;
