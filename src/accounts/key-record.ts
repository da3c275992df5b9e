import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { SpendCap } from "../kernel/spend-cap.ts";

export const SCOPES = ["read", "send", "vend", "manage"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who a key speaks for, as the accounts know it. Cached for a few seconds: never changed in place. */
export interface KeyRecord {
  readonly keyId: string;
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
  /** Set once another key has taken its place: since when, and until when it still works. */
  readonly rolled: { readonly at: Date; readonly until: Date } | null;
  /** What it may spend in a day in Lagos; null for as much as the wallet has. */
  readonly spendCapKobo: Kobo | null;
  /** The key whose spending its own is counted with: itself, or the first of those that it took the place of. */
  readonly spendsAs: string;
  /** The account's own sender for SMS that name none; null for the configuration's. */
  readonly defaultSender: string | null;
  /** By service. A service that is not here is not subscribed to. */
  readonly subscriptions: Readonly<Record<string, { readonly plan: string }>>;
}

/** The daily cap that orders under the key count against, as a part of their caller; empty without one. */
export const withSpendCap = ({ spendCapKobo, spendsAs }: KeyRecord): { readonly spendCap?: SpendCap } =>
  spendCapKobo === null ? {} : { spendCap: { keyId: spendsAs as Uuid, limitKobo: spendCapKobo } };

/** Finds a key by the HMAC of its text. A rejection means that storage is away, never that the key is unknown. */
export interface KeyLookup {
  find(hash: Buffer): Promise<KeyRecord | undefined>;
}

/** Points in a minute that the caller's plan gives to a policy. */
export type LimitFor = (caller: KeyRecord, policy: string) => number;
