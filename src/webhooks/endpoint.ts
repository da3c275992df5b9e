import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";

/** `unverified`: a ping was not answered with 2xx yet. `disabled`: by the gateway, see `DISABLED_REASONS`. */
export const STATUSES = ["unverified", "active", "paused", "disabled"] as const;
export type Status = (typeof STATUSES)[number];

/** Why the gateway disabled an endpoint: it answered 410, or every attempt of the last five days failed. */
export const DISABLED_REASONS = ["gone", "failing"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export interface Whose {
  readonly accountId: Uuid;
  readonly mode: Mode;
}

/** An address to which an account's events are posted. */
export interface Endpoint extends Whose {
  readonly id: Uuid;
  readonly url: string;
  /** Patterns: `*`, `sms.*`, `sms.delivered`. */
  readonly types: readonly string[];
  readonly description: string | null;
  /** Whether events show tokens in full, as they do to the key that made it. */
  readonly mayVend: boolean;
  readonly status: Status;
  readonly disabledReason: DisabledReason | null;
  /** Events before this time left the feed before they were delivered here. */
  readonly missedBefore: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An endpoint as its account sees it. */
export interface ShownEndpoint extends Endpoint {
  /** The current one. */
  readonly publicKey: string;
  /** Events that wait for another attempt. */
  readonly waiting: number;
  /** Since when every attempt has failed. */
  readonly failingSince: Date | null;
  /** Nothing is sent before this time. */
  readonly restUntil: Date | null;
}

/** An account has more receivers than this hardly ever; each one costs an attempt for every event. */
export const ENDPOINTS_MAX = 20;

/** Events of an endpoint that wait for another attempt; newer events wait in the feed while there are as many. */
export const WAITING_MAX = 10_000;

/** Keys that sign at the same time: the current ones, and replaced ones until the end of their overlap. */
export const KEYS_MAX = 5;

export const OVERLAP_HOURS = { default: 24, max: 168 } as const;

/** Most events of one replay. */
export const REPLAY_MAX = 10_000;

/** Age at which attempts are no longer listed, and events leave the feed. */
export const KEPT_DAYS = 30;

export const PING_TYPE = "webhook.ping";
