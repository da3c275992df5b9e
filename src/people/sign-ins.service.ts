import { createHash } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { AskLibrary, LibraryAnswer, Visitor } from "./ask-library.ts";
import { evenly } from "./evenly.ts";
import { WRONG_CODE } from "./library-refusals.ts";
import { guessable, isGuessable } from "./passwords.ts";
import { forgetUnproven } from "./people.repo.ts";
import type { SessionKeys } from "./session-keys.ts";
import { endSessionOf, useCode } from "./sessions.repo.ts";
import type { SignUps } from "./sign-ups.ts";
import type { Throttle } from "./throttle.ts";

export interface Verified {
  readonly cookies: readonly string[];
  readonly isSignedIn: boolean;
}

/** What people do who are nobody yet. What it answers does not tell whether an address is known. */
export interface SignIns {
  signUp(visitor: Visitor, wish: SignUpWish): Promise<Result<{ readonly cookies: readonly string[] }>>;
  signIn(visitor: Visitor, email: string, password: string): Promise<Result<LibraryAnswer>>;
  secondFactor(
    visitor: Visitor,
    kind: "verify-totp" | "verify-backup-code",
    code: string,
  ): Promise<Result<LibraryAnswer>>;
  sendVerification(visitor: Visitor, email: string): Promise<Result<object>>;
  verify(visitor: Visitor, token: string): Promise<Result<Verified>>;
  requestReset(visitor: Visitor, email: string): Promise<Result<object>>;
  reset(visitor: Visitor, token: string, newPassword: string): Promise<Result<object>>;
}

export interface SignUpWish {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface SignInsParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly ask: AskLibrary;
  readonly throttle: Throttle;
  readonly keys: SessionKeys;
  readonly signUps: SignUps;
}

export function makeSignIns({ db, clock, ask, throttle, keys, signUps }: SignInsParts): SignIns {
  /** Signs up, or takes as long as that. */
  async function begin(visitor: Visitor, { name, email, password }: SignUpWish): Promise<Result<unknown>> {
    if (!(await signUps.isWelcome(email))) {
      const { hashPassword } = await import("better-auth/crypto");
      return ok(await hashPassword(password));
    }
    await forgetUnproven(db, email);
    const body = { name: name.trim(), email, password };
    const asked = await ask(visitor, { method: "POST", path: "/sign-up/email", body });
    // Of two that signed up in the same moment the first has the mail, and the second is told the same.
    return asked.ok || asked.error.code === "validation_failed" ? asked : ok(undefined);
  }

  /** The token of the session that an answer opens. */
  const sessionIn = (cookies: readonly string[]): string | undefined =>
    cookies.map((cookie) => keys.tokenIn(cookie.split(";", 1)[0]!)).find((token) => token !== undefined);

  return {
    async signUp(visitor, wish) {
      const email = wish.email.toLowerCase();
      if (await isGuessable(wish.password, email)) return refuse(guessable("password"));
      const no = await throttle.mail(visitor.address, email);
      if (no) return refuse(no);
      const begun = await evenly(clock, () => begin(visitor, { ...wish, email }));
      return begun.ok ? ok({ cookies: [keys.signUpMark(email)] }) : begun;
    },

    async signIn(visitor, given, password) {
      const email = given.toLowerCase();
      const no = await throttle.enter(visitor.address, email);
      if (no) return refuse(no);
      const body = { email, password };
      return evenly(clock, () => ask(visitor, { method: "POST", path: "/sign-in/email", body }));
    },

    async secondFactor(visitor, kind, code) {
      const no = await throttle.enter(visitor.address);
      if (no) return refuse(no);
      const asked = await ask(visitor, { method: "POST", path: `/two-factor/${kind}`, body: { code } });
      const session = asked.ok ? sessionIn(asked.value.cookies) : undefined;
      // The library takes a code again within its time; whoever saw it typed in would be let in, too.
      if (session === undefined || (await useCode(db, session, hashOf(code)))) return asked;
      await endSessionOf(db, session);
      return refuse(WRONG_CODE);
    },

    async sendVerification(visitor, given) {
      const email = given.toLowerCase();
      const no = await throttle.mail(visitor.address, email);
      if (no) return refuse(no);
      // Without the cookies: the library tells a signed-in person more of an address.
      const nobody = { ...visitor, cookies: "" };
      return evenly(clock, () => ask(nobody, { method: "POST", path: "/send-verification-email", body: { email } }));
    },

    async verify(visitor, token) {
      const no = await throttle.enter(visitor.address);
      if (no) return refuse(no);
      const asked = await ask(visitor, { method: "GET", path: "/verify-email", query: { token } });
      if (!asked.ok) return asked;
      const session = sessionIn(asked.value.cookies);
      if (session === undefined) return ok({ cookies: [], isSignedIn: false });
      // Elsewhere the link may have been a stranger's, who wants somebody to work in an account of theirs.
      if (keys.hasSignUpMark(visitor.cookies, emailIn(token)))
        return ok({ cookies: asked.value.cookies, isSignedIn: true });
      await endSessionOf(db, session);
      return ok({ cookies: [], isSignedIn: false });
    },

    async requestReset(visitor, given) {
      const email = given.toLowerCase();
      const no = await throttle.mail(visitor.address, email);
      if (no) return refuse(no);
      return evenly(clock, () => ask(visitor, { method: "POST", path: "/request-password-reset", body: { email } }));
    },

    async reset(visitor, token, newPassword) {
      const no = await throttle.enter(visitor.address);
      if (no) return refuse(no);
      if (await isGuessable(newPassword, "")) return refuse(guessable("newPassword"));
      return ask(visitor, { method: "POST", path: "/reset-password", body: { token, newPassword } });
    },
  };
}

const hashOf = (code: string): string => createHash("sha256").update(code).digest("base64url");

/** Of a link's token that was found good. */
const emailIn = (token: string): string =>
  (JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { email: string }).email;
