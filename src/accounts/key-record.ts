import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { SpendCap } from "../kernel/spend-cap.ts";
import type { Role } from "./roles.ts";

/** A key's account and permissions, or those of a signed-in person. Cached for a few seconds: never changed in place. */
export interface KeyRecord {
  /** Of a person: their own ID. */
  readonly keyId: string;
  /** Set when a person is signed in, and no key was sent. */
  readonly person?: { readonly id: Uuid; readonly role: Role; readonly isConfirmed: boolean };
  readonly accountId: string;
  readonly accountSuspended: boolean;
  readonly mode: Mode;
  /** Services the key is limited to; null for all. */
  readonly services: readonly string[] | null;
  readonly scopes: readonly string[];
  /** Addresses or CIDR blocks the key may be used from; null for any. */
  readonly cidrs: readonly string[] | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Set once another key has replaced it: the time of replacement and the end of its validity. */
  readonly rolled: { readonly at: Date; readonly until: Date } | null;
  /** Spend cap per Lagos day; null: no cap. */
  readonly spendCapKobo: Kobo | null;
  /** The key whose cap it shares: itself, or the first key in its chain of replacements. */
  readonly spendsAs: string;
  /** The account's default sender for SMS; null for the configuration's. */
  readonly defaultSender: string | null;
  /** By service; without an entry there is no subscription. */
  readonly subscriptions: Readonly<Record<string, { readonly plan: string }>>;
}

/** What all keys of an account, and its people, have in common. */
export type AccountTerms = Pick<KeyRecord, "accountSuspended" | "defaultSender" | "subscriptions">;

/** The daily cap that orders under the key count against, as a part of their caller; empty without one. */
export const withSpendCap = ({ spendCapKobo, spendsAs }: KeyRecord): { readonly spendCap?: SpendCap } =>
  spendCapKobo === null ? {} : { spendCap: { keyId: spendsAs as Uuid, limitKobo: spendCapKobo } };

/** Finds a key by the HMAC of its text. A rejection means that storage is unavailable, never that the key is unknown. */
export interface KeyLookup {
  find(hash: Buffer): Promise<KeyRecord | undefined>;
}

/** A policy's points per minute under the caller's plan. */
export type LimitFor = (caller: KeyRecord, policy: string) => number;
