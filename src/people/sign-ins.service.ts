import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import type { Refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { AskLibrary, LibraryAnswer, Visitor } from "./ask-library.ts";
import { hashOfCode } from "./codes.ts";
import { evenly } from "./evenly.ts";
import { LINK_NOT_VALID, NEEDS_PASSWORD, WRONG_CODE } from "./library-refusals.ts";
import { guessable, isGuessable } from "./passwords.ts";
import { forgetUnproven } from "./people.repo.ts";
import type { SessionKeys } from "./session-keys.ts";
import { endSessionOf, useCode } from "./sessions.repo.ts";
import { type SignUpLink, signUpLinkIn } from "./sign-up-link.ts";
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
  /**
   * A mail's link confirms where somebody signed up, or with the password that they chose: whoever opens it alone, the owner of the
   * address or a scanner of their mails, would open the account of a stranger who signed up with that address.
   */
  verify(visitor: Visitor, token: string, password?: string): Promise<Result<Verified>>;
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
  async function begin(visitor: Visitor, { name, email, password }: SignUpWish): Promise<Result<Uuid>> {
    if (!(await signUps.isWelcome(email))) {
      const { hashPassword } = await import("better-auth/crypto");
      await hashPassword(password);
      return ok(newUuid());
    }
    await forgetUnproven(db, email);
    const body = { name: name.trim(), email, password };
    const asked = await ask(visitor, { method: "POST", path: "/sign-up/email", body });
    // Of two that signed up in the same moment the first has the mail, and the second is told the same.
    if (!asked.ok) return asked.error.code === "validation_failed" ? asked : ok(newUuid());
    return ok((asked.value.body.user as { readonly id: Uuid }).id); // of a known address it is one of nobody
  }

  /** The token of the session that an answer opens. */
  const sessionIn = (cookies: readonly string[]): string | undefined =>
    cookies.map((cookie) => keys.tokenIn(cookie.split(";", 1)[0]!)).find((token) => token !== undefined);

  /** Undefined: it is the password of whoever signed up. */
  async function whyNotTheirs(visitor: Visitor, { email }: SignUpLink, password: string): Promise<Refusal | undefined> {
    const no = await throttle.enter(visitor.address, email);
    if (no) return no;
    const nobody = { ...visitor, cookies: "" };
    const asked = await evenly(clock, () =>
      ask(nobody, { method: "POST", path: "/sign-in/email", body: { email, password } }),
    );
    if (asked.ok) {
      const session = sessionIn(asked.value.cookies);
      if (session !== undefined) await endSessionOf(db, session);
      return LINK_NOT_VALID; // confirmed already
    }
    return asked.error.code === "email_not_verified" ? undefined : asked.error;
  }

  return {
    async signUp(visitor, wish) {
      const email = wish.email.toLowerCase();
      if (await isGuessable(wish.password, email)) return refuse(guessable("password"));
      const no = await throttle.mail(visitor.address, email);
      if (no) return refuse(no);
      const begun = await evenly(clock, () => begin(visitor, { ...wish, email }));
      return begun.ok ? ok({ cookies: [keys.signUpMark(begun.value)] }) : begun;
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
      if (session === undefined || (await useCode(db, session, hashOfCode(code)))) return asked;
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

    async verify(visitor, token, password) {
      const no = await throttle.enter(visitor.address);
      if (no) return refuse(no);
      const link = signUpLinkIn(token);
      if (!link) return refuse(LINK_NOT_VALID);
      if (!keys.hasSignUpMark(visitor.cookies, link.personId)) {
        const wrong = password === undefined ? NEEDS_PASSWORD : await whyNotTheirs(visitor, link, password);
        if (wrong) return refuse(wrong);
      }
      const asked = await ask(visitor, { method: "GET", path: "/verify-email", query: { token } });
      if (!asked.ok) return asked;
      const isSignedIn = sessionIn(asked.value.cookies) !== undefined;
      return ok({ cookies: isSignedIn ? asked.value.cookies : [], isSignedIn });
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
