import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kernel/duration.ts";
import type { Mode } from "../kernel/mode.ts";
import type { PurchaseWaits } from "../orders/service-definition.ts";

/** The first requeries; then every 10 minutes for two hours, then every hour until it is known. */
const FIRST_LIVE_MS = [5, 15, 30, 60, 120, 300].map((seconds) => seconds * SECOND_MS);
const EVERY_TEN_MINUTES = 12;
const FIRST_TEST_MS = [1, 1, 2, 3].map((seconds) => seconds * SECOND_MS);

const LIVE: PurchaseWaits = {
  requeryMs: (n) => FIRST_LIVE_MS[n] ?? (n < FIRST_LIVE_MS.length + EVERY_TEN_MINUTES ? 10 * MINUTE_MS : HOUR_MS),
  confirmFailedMs: MINUTE_MS,
  // Past the 60 s that the vendors' adapters wait for an answer unless an operator has set another time.
  repeatAfterMs: 90 * SECOND_MS,
  notFoundApartMs: 5 * MINUTE_MS,
  settleMs: 5 * MINUTE_MS,
};

/** So that everything ends within half a minute. */
const TEST: PurchaseWaits = {
  ...LIVE,
  requeryMs: (n) => FIRST_TEST_MS[n] ?? 5 * SECOND_MS,
  confirmFailedMs: 6 * SECOND_MS,
  repeatAfterMs: 3 * SECOND_MS,
  notFoundApartMs: 2 * SECOND_MS,
  settleMs: 2 * SECOND_MS,
};

/** With half as much to spare, as for a lease (`leaseFor`): what is slow there may be slower at the vendor. */
const MARGIN = 1.5;

/** `answerWithinMs`: how long the vendor in question may take to answer. The simulators of test mode take no longer than they say. */
export function purchaseWaits(mode: Mode, answerWithinMs = 0): PurchaseWaits {
  if (mode === "test") return TEST;
  const underWayMs = answerWithinMs * MARGIN;
  return {
    ...LIVE,
    repeatAfterMs: Math.max(LIVE.repeatAfterMs ?? 0, underWayMs),
    settleMs: Math.max(LIVE.settleMs, underWayMs),
  };
}

/** How long a purchase may wait for a vendor that takes it, before it ends with its money back. */
export const SENDABLE_MS = { live: 15 * MINUTE_MS, test: 20 * SECOND_MS } as const satisfies Record<Mode, number>;
