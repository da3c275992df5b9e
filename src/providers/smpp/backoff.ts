/**
 * How long to wait before the next try to connect: full jitter over an exponentially growing range, so that many gateways
 * which lost the same SMSC do not come back in step.
 * Units: milliseconds. `failures` counts from 1; `random` is in [0, 1).
 */
export function backoffMs(failures: number, minMs: number, maxMs: number, random: number): number {
  const range = Math.min(maxMs, minMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(random * range);
}

/**
 * After refused credentials: from half of this to all of it. Some SMSCs lock an account after a few wrong passwords, so asking
 * again soon makes matters worse; never asking again would leave the route dead after an operator has mended the account.
 */
const CREDENTIALS_RETRY_MS = 10 * 60_000;

export const credentialsBackoffMs = (random: number): number => Math.round(CREDENTIALS_RETRY_MS * (0.5 + random / 2));
