import { createHash } from "node:crypto";
import type { Counters, Limit } from "../counters/memory-counters.ts";
import type { Uuid } from "../kernel/ids.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";

/**
 * What strangers may try, by where they are and by the address that they name; and what a signed-in person may, by their session alone, so
 * that no stranger uses up their attempts.
 */
export interface Throttle {
  /** Passwords, codes and tokens that could be guessed. */
  enter(address: string, email?: string): Promise<Refusal | undefined>;
  /** Passwords and codes that are given in a session. */
  confirm(sessionId: Uuid): Promise<Refusal | undefined>;
  /** What makes a mail go out. */
  mail(address: string, email: string): Promise<Refusal | undefined>;
}

const QUARTER_SECONDS = 15 * 60;
const HOUR_SECONDS = 60 * 60;

export function makeThrottle(counters: Counters): Throttle {
  async function take(policy: string, limits: readonly Limit[]): Promise<Refusal | undefined> {
    const [consumed] = await counters.consume([{ limits, points: 1 }]);
    if (!consumed || consumed.allowed) return undefined;
    const full = consumed.remaining.findIndex(({ hadRoom }) => !hadRoom);
    const { windowSeconds } = limits[full]!;
    const { limit, resetSeconds } = consumed.remaining[full]!;
    return refusal("rate_limited", `Too many attempts. Wait ${resetSeconds} s and try again.`, {
      members: { policy, limit, window_seconds: windowSeconds, retry_after_seconds: resetSeconds },
      retryAfterSeconds: resetSeconds,
    });
  }
  return {
    enter: (address, email) =>
      take("sign-in", [
        { name: `people enter ${address}`, limit: 60, windowSeconds: QUARTER_SECONDS },
        ...(email === undefined
          ? []
          : [
              // Whoever guesses from one place is slowed down before a person elsewhere is.
              { name: `people enter ${address} ${named(email)}`, limit: 10, windowSeconds: QUARTER_SECONDS },
              { name: `people enter ${named(email)}`, limit: 50, windowSeconds: QUARTER_SECONDS },
            ]),
      ]),
    confirm: (sessionId) =>
      take("sign-in", [{ name: `people confirm ${sessionId}`, limit: 10, windowSeconds: QUARTER_SECONDS }]),
    mail: (address, email) =>
      take("sign-in-mail", [
        { name: `people mail ${address}`, limit: 20, windowSeconds: HOUR_SECONDS },
        // Whoever asks for mails to another's address from one place leaves enough for the person elsewhere.
        { name: `people mail ${address} ${named(email)}`, limit: 5, windowSeconds: HOUR_SECONDS },
        { name: `people mail ${named(email)}`, limit: 15, windowSeconds: HOUR_SECONDS },
      ]),
  };
}

/** Counters may be on another server, which need not have the addresses of people. */
const named = (email: string): string => createHash("sha256").update(email).digest("base64url");
