import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { MINUTE_MS } from "../kernel/duration.ts";
import type { Refusal } from "../kernel/refusal.ts";
import type { AskLibrary, Visitor } from "./ask-library.ts";
import { hashOfCode } from "./codes.ts";
import { NO_SECOND_FACTOR, WRONG_CODE, WRONG_PASSWORD } from "./library-refusals.ts";
import type { Answer } from "./passkey-proofs.ts";
import type { Passkeys } from "./passkeys.service.ts";
import { findPasswordHash } from "./people.repo.ts";
import type { SessionKeys } from "./session-keys.ts";
import { confirmSession, type FoundSession, useCode } from "./sessions.repo.ts";
import type { SignedIn } from "./signed-in.ts";
import type { Throttle } from "./throttle.ts";

/** How long a session is trusted with what opens an account to others (ADR 52). */
const CONFIRMED_MS = 10 * MINUTE_MS;

/** Whether the person has shown lately that it is they. Who has nothing to show it with is not asked. */
export function isConfirmed({ person, confirmedAt }: FoundSession, now: Date): boolean {
  const hasWays = person.hasPassword || person.twoFactor || person.passkeys > 0;
  return !hasWays || now.getTime() - confirmedAt.getTime() < CONFIRMED_MS;
}

/** Each confirms the session, or says why not. */
export interface Confirmations {
  byPassword(by: SignedIn, password: string): Promise<Refusal | undefined>;
  byCode(visitor: Visitor, by: SignedIn, code: string): Promise<Refusal | undefined>;
  byPasskey(visitor: Visitor, by: SignedIn, answer: Answer): Promise<Refusal | undefined>;
}

export interface ConfirmationsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly ask: AskLibrary;
  readonly throttle: Throttle;
  readonly keys: SessionKeys;
  readonly passkeys: Passkeys;
}

export function makeConfirmations(parts: ConfirmationsParts): Confirmations {
  const { db, clock, ask, throttle, keys, passkeys } = parts;
  const confirm = async ({ sessionId }: SignedIn): Promise<undefined> => {
    await confirmSession(db, sessionId, clock.now());
  };
  return {
    async byPassword(by, password) {
      const no = await throttle.confirm(by.sessionId);
      if (no) return no;
      const [hash, { verifyPassword }] = await Promise.all([
        findPasswordHash(db, by.person.id),
        import("better-auth/crypto"),
      ]);
      if (hash === undefined || !(await verifyPassword({ hash, password }))) return WRONG_PASSWORD;
      return confirm(by);
    },

    async byCode(visitor, by, code) {
      const no = await throttle.confirm(by.sessionId);
      if (no) return no;
      // Where it is not on yet, the library would turn it on.
      if (!by.person.twoFactor) return NO_SECOND_FACTOR;
      const asked = await ask(visitor, { method: "POST", path: "/two-factor/verify-totp", body: { code } });
      if (!asked.ok) return asked.error;
      const token = keys.tokenIn(visitor.cookies);
      if (token === undefined || !(await useCode(db, token, hashOfCode(code)))) return WRONG_CODE;
      return confirm(by);
    },

    async byPasskey(visitor, by, answer) {
      return (await passkeys.whyNotOf(visitor, by.person, answer)) ?? confirm(by);
    },
  };
}
