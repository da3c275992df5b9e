import type { ConfigFile } from "../config/operator-file.ts";
import type { Counters } from "../counters/memory-counters.ts";
import type { Connection, Database } from "../db/database.ts";
import type { Http } from "../http/edge.ts";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS } from "../kernel/duration.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { invariant } from "../kernel/result.ts";
import type { Job } from "../ports/job.ts";
import { makeAskLibrary } from "./ask-library.ts";
import { confirmRoutes } from "./confirm.routes.ts";
import { isConfirmed, makeConfirmations } from "./confirmations.ts";
import { type LibraryEvents, libraryOptions } from "./library.ts";
import { type LibraryPool, openLibraryPool } from "./library-pool.repo.ts";
import { LOCAL_OWNER } from "./local-link.repo.ts";
import { makeLocalLinks } from "./local-link.ts";
import { type MailSettings, makeMailer } from "./mail.ts";
import * as mails from "./mails.ts";
import { membersRoutes } from "./members.routes.ts";
import { makeMembers } from "./members.service.ts";
import { operatorsRoutes } from "./operators.routes.ts";
import { makeOperators } from "./operators.service.ts";
import { ownRoutes } from "./own.routes.ts";
import { makePasskeyChallenges } from "./passkey-challenges.ts";
import { passkeysRoutes } from "./passkeys.routes.ts";
import { makePasskeys } from "./passkeys.service.ts";
import { PEOPLE_REFUSALS } from "./people.refusals.ts";
import { forgetBegun, forgetEnded, isApproved, isReachable } from "./people.repo.ts";
import { LOCAL_LINK, sessionRoutes } from "./session.routes.ts";
import { makeSessionKeys } from "./session-keys.ts";
import { findSession } from "./sessions.repo.ts";
import { signInRoutes } from "./sign-in.routes.ts";
import { makeSignIns } from "./sign-ins.service.ts";
import { makeSignUps, signUpRuleOf } from "./sign-ups.ts";
import type { SignedIn } from "./signed-in.ts";
import { makeThrottle } from "./throttle.ts";
import { makeVisits } from "./visitor.replies.ts";

export type { MailSettings } from "./mail.ts";
export type { Membership, Person, SignedIn } from "./signed-in.ts";

export interface PeopleParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly file: Pick<ConfigFile, "signUp">;
  /** For accounts of people who sign up. */
  readonly onOffer: Pick<ConfigFile, "services" | "playMoney">;
  /** The server's secret: what signs cookies and tokens is derived from it. */
  readonly secret: string;
  readonly connection: Connection;
  readonly counters: Counters;
  /** A gateway on one's own machine: mails stay in the outbox. */
  readonly isLocal: boolean;
  /** Where browsers reach the portal. Without it, it is for the browsers of this machine alone. */
  readonly publicUrl: string | undefined;
  /** Who sends the mails; not needed on a local gateway. */
  readonly mail: MailSettings | undefined;
}

/** People who sign in: sessions, and whom they belong to (ADR 47). */
export interface PeoplePart {
  readonly jobs: readonly Job[];
  readonly refusals: typeof PEOPLE_REFUSALS;
  serve(http: Http): void;
  /** Whether these cookies name a session. */
  isNamed(cookies: string): boolean;
  /** Who is signed in, by the `Cookie` header. Rejects when storage is away. */
  find(cookies: string): Promise<SignedIn | undefined>;
  /** On a local gateway: the path of a link that signs in the owner of its account once, within a day. */
  localLink(accountId: Uuid): Promise<string>;
  /** Finishes what is under way, mails too. */
  close(): Promise<void>;
}

export function makePeoplePart(parts: PeopleParts): PeoplePart {
  const { db, clock, log, isLocal, publicUrl } = parts;
  const isSecure = publicUrl?.startsWith("https:") === true;
  const keys = makeSessionKeys(parts.secret, isSecure);
  const rule = signUpRuleOf(parts.file, isLocal);
  const signUps = makeSignUps({ db, clock, config: parts.onOffer, rule });
  const mailer = makeMailer({ db, clock, log, settings: isLocal ? undefined : parts.mail });
  const localLinks = makeLocalLinks({ db, clock, keys });
  const throttle = makeThrottle(parts.counters);
  const challenges = makePasskeyChallenges({ db, clock, secret: parts.secret, isSecure });
  const passkeys = makePasskeys({ db, clock, keys, challenges, throttle });
  let pool: LibraryPool | undefined;
  let handler: Promise<(request: Request) => Promise<Response>> | undefined;

  const events: LibraryEvents = {
    verificationWanted: (email, origin, token) => mailer.send(mails.verificationMail(email, origin, token)),
    knownAddress: (email, origin) => mailer.send(mails.knownAddressMail(email, origin)),
    resetWanted: (email, origin, token) => mailer.send(mails.resetMail(email, origin, token)),
    async passwordReset({ id, email }, origin) {
      await forgetBegun(db, id);
      mailer.send(mails.passwordChangedMail(email, origin));
    },
    proven: (personId) => signUps.settle(personId),
    mayEnter: (personId) => isApproved(db, personId),
  };

  async function load(): Promise<(request: Request) => Promise<Response>> {
    pool = openLibraryPool(parts.connection, log);
    const [{ betterAuth }, options] = await Promise.all([
      import("better-auth"),
      libraryOptions({ clock, log, pool, keys, isSecure, approves: signUps.isApproved, events }),
    ]);
    return betterAuth(options).handler;
  }
  const ask = makeAskLibrary(
    () => {
      handler ??= load();
      return handler;
    },
    () => isReachable(db),
  );

  const confirmations = makeConfirmations({ db, clock, ask, throttle, keys, passkeys });

  async function find(cookies: string): Promise<SignedIn | undefined> {
    const token = keys.tokenIn(cookies);
    const now = clock.now();
    const found =
      token === undefined ? undefined : await findSession(db, token, now, isLocal ? LOCAL_OWNER : undefined);
    return found && { ...found, isConfirmed: isConfirmed(found, now), csrfToken: keys.csrfTokenOf(found.sessionId) };
  }

  return {
    jobs: [{ name: "people", everyMs: HOUR_MS, run: () => forgetEnded(db, clock.now()) }],
    refusals: PEOPLE_REFUSALS,
    isNamed: keys.isNamed,
    find,
    serve(http) {
      const visits = makeVisits({ publicUrl, find, confirmations });
      sessionRoutes(http, { db, find, visits, localLinks, isLocal, signUp: rule });
      if (!isLocal && (publicUrl === undefined || parts.mail === undefined)) return; // nobody could be written to
      signInRoutes(http, { visits, signIns: makeSignIns({ db, clock, ask, throttle, keys, signUps }) });
      ownRoutes(http, { db, clock, visits, ask, throttle, passwordChanged: events.passwordReset });
      passkeysRoutes(http, { visits, passkeys });
      operatorsRoutes(http, { visits, operators: makeOperators({ db, clock }) });
      confirmRoutes(http, { visits, confirmations, passkeys });
      membersRoutes(http, {
        db,
        clock,
        visits,
        throttle,
        members: makeMembers({ db, clock }),
        invited: (invitation, origin) => mailer.send(mails.invitationMail(invitation.email, origin, invitation)),
      });
    },
    async localLink(accountId) {
      invariant(isLocal, "links to enter without a password are for local gateways");
      return `${LOCAL_LINK}?token=${await localLinks.make(accountId)}`;
    },
    async close() {
      await mailer.idle();
      await pool?.end();
    },
  };
}
