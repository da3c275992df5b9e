import type { BetterAuthOptions } from "better-auth";
import type { Clock } from "../kernel/clock.ts";
import { HOUR_MS, SECOND_MS } from "../kernel/duration.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { LibraryPool } from "./library-pool.repo.ts";
import { cookiePrefix, type SessionKeys } from "./session-keys.ts";
import { IDLE_MS, SESSION_MS } from "./sessions.repo.ts";

export const BASE_PATH = "/portal/api/auth";
/** Where the library believes to be. Who may call is decided before it is called (`own-page.ts`). */
export const LIBRARY_ORIGIN = "http://portal.invalid";
/** The caller's address as we know it, in place of headers that a stranger writes. */
export const ADDRESS_HEADER = "x-afara-address";

export const PASSWORD_LENGTH = { min: 10, max: 128 } as const;
const VERIFICATION_SECONDS = (24 * HOUR_MS) / SECOND_MS;
const RESET_SECONDS = HOUR_MS / SECOND_MS;

/** What happens in the library, told to those who act on it. `origin`: where the person is, for links. */
export interface LibraryEvents {
  verificationWanted(email: string, origin: string, token: string): void;
  knownAddress(email: string, origin: string): void;
  resetWanted(email: string, origin: string, token: string): void;
  passwordReset(person: { readonly id: Uuid; readonly email: string }, origin: string): Promise<void>;
  /** The person's address is proven. */
  proven(personId: Uuid): Promise<void>;
  /** Whether the person may have a session. */
  mayEnter(personId: Uuid): Promise<boolean>;
}

export interface LibraryParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly pool: LibraryPool;
  readonly keys: SessionKeys;
  readonly isSecure: boolean;
  readonly approves: (email: string) => Promise<boolean>;
  readonly events: LibraryEvents;
}

/** better-auth's settings. Its import takes half a second, so it is loaded when somebody first signs in. */
export async function libraryOptions(parts: LibraryParts) {
  const { clock, log, pool, keys, isSecure, approves, events } = parts;
  const [{ twoFactor }, { APIError }] = await Promise.all([
    import("better-auth/plugins/two-factor"),
    import("better-auth/api"),
  ]);
  const times = { createdAt: "created_at", updatedAt: "updated_at" };
  return {
    appName: "Afara",
    baseURL: LIBRARY_ORIGIN,
    basePath: BASE_PATH,
    secret: keys.library,
    database: pool,
    telemetry: { enabled: false },
    rateLimit: { enabled: false }, // our own counters, which all nodes share
    logger: {
      level: "error",
      // Its words may have addresses of people.
      log: (_level, message) => log.warn({ said: message.replace(/\S+@\S+/g, "…") }, "better-auth"),
    },
    user: {
      modelName: "auth_people",
      fields: { emailVerified: "email_verified", ...times },
      additionalFields: { approved: { type: "boolean", required: false, input: false, defaultValue: true } },
    },
    session: {
      modelName: "auth_sessions",
      fields: {
        userId: "person_id",
        expiresAt: "expires_at",
        ipAddress: "ip_address",
        userAgent: "user_agent",
        ...times,
      },
      expiresIn: SESSION_MS / SECOND_MS, // of the cookie; the row's own end comes with `created`, and moves with use
      disableSessionRefresh: true,
    },
    account: {
      modelName: "auth_credentials",
      fields: {
        userId: "person_id",
        accountId: "external_id",
        providerId: "provider_id",
        accessToken: "access_token",
        refreshToken: "refresh_token",
        idToken: "id_token",
        accessTokenExpiresAt: "access_token_expires_at",
        refreshTokenExpiresAt: "refresh_token_expires_at",
        ...times,
      },
    },
    verification: {
      modelName: "auth_verifications",
      fields: { expiresAt: "expires_at", ...times },
      storeIdentifier: "hashed",
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      onExistingUserSignUp: async ({ user }, request) => events.knownAddress(user.email, originOf(request)),
      sendResetPassword: async ({ user, token }, request) => events.resetWanted(user.email, originOf(request), token),
      onPasswordReset: ({ user }, request) =>
        events.passwordReset({ id: user.id as Uuid, email: user.email }, originOf(request)),
    },
    emailVerification: {
      expiresIn: VERIFICATION_SECONDS,
      sendOnSignUp: true,
      autoSignInAfterVerification: true,
      sendVerificationEmail: async ({ user, token }, request) =>
        events.verificationWanted(user.email, originOf(request), token),
      afterEmailVerification: async ({ id }) => events.proven(id as Uuid),
    },
    databaseHooks: {
      user: {
        create: { before: async (user) => ({ data: { ...user, approved: await approves(user.email) } }) },
      },
      session: {
        create: {
          before: async (session) => {
            if (!(await events.mayEnter(session.userId as Uuid)))
              throw new APIError("FORBIDDEN", { code: "AWAITING_APPROVAL", message: "awaits approval" });
            const now = clock.now();
            const expiresAt = new Date(now.getTime() + IDLE_MS);
            return { data: { ...session, createdAt: now, updatedAt: now, expiresAt } };
          },
        },
      },
    },
    plugins: [
      twoFactor({
        issuer: "Afara",
        allowPasswordless: true, // the owner of a local account has none
        schema: {
          user: { fields: { twoFactorEnabled: "two_factor_enabled" } },
          twoFactor: {
            modelName: "auth_second_factors",
            fields: {
              userId: "person_id",
              backupCodes: "backup_codes",
              failedVerificationCount: "failed_verification_count",
              lockedUntil: "locked_until",
            },
          },
        },
      }),
    ],
    advanced: {
      // The prefix `__Host-` is part of the name: the library's own would be `__Secure-`.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(isSecure),
      cookies: { session_token: { name: keys.cookie } },
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: "lax", path: "/" },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => newUuid(), validateSchema: false },
    },
  } satisfies BetterAuthOptions;
}

/** The library is asked at the address that the person's browser has. */
const originOf = (request: Request | undefined): string => new URL(request?.url ?? LIBRARY_ORIGIN).origin;
