import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { AccountTerms, KeyRecord } from "../accounts/key-record.ts";
import { type Role, scopesOf } from "../accounts/roles.ts";
import { decodeId, type Uuid } from "../kernel/ids.ts";
import { isMode, type Mode } from "../kernel/mode.ts";
import { type Refusal, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";

/** A person with a session that has not ended. */
export interface SignedIn {
  readonly person: { readonly id: Uuid };
  /** They showed lately that it is they. */
  readonly isConfirmed: boolean;
  /** What a request that changes something sends in `Afara-CSRF`. */
  readonly csrfToken: string;
  readonly memberships: readonly { readonly accountId: Uuid; readonly role: Role }[];
}

/** The sessions of people, as the hook needs them. */
export interface Sessions {
  /** Whether these cookies name a session. */
  isNamed(cookies: string): boolean;
  /** Rejects when storage is away. */
  find(cookies: string): Promise<SignedIn | undefined>;
  account(id: Uuid): Promise<AccountTerms | undefined>;
}

export const ACCOUNT_HEADER = "afara-account";
export const MODE_HEADER = "afara-mode";
export const CSRF_HEADER = "afara-csrf";

const SAFE_METHODS: readonly string[] = ["GET", "HEAD"];

/**
 * The way in of a signed-in person: their session's cookie, on requests of our own pages only. `Afara-Account` and `Afara-Mode` say for
 * which account; the role there gives the scopes.
 */
export async function enterBySession(request: FastifyRequest, sessions: Sessions): Promise<Result<KeyRecord, Refusal>> {
  if (!isOwnPage(request)) return refuse(OTHER_SITE);
  const signedIn = await sessions.find(request.headers.cookie ?? "");
  if (!signedIn) return refuse(ENDED);
  const { person, csrfToken, memberships, isConfirmed } = signedIn;
  if (!SAFE_METHODS.includes(request.method) && !isSame(request.headers[CSRF_HEADER], csrfToken))
    return refuse(WRONG_TOKEN);
  const [account, mode] = [request.headers[ACCOUNT_HEADER], request.headers[MODE_HEADER]];
  if (typeof account !== "string" || typeof mode !== "string" || !isMode(mode)) return refuse(WITHOUT_ACCOUNT);
  const accountId = decodeId("acc", account);
  const role = memberships.find((membership) => membership.accountId === accountId)?.role;
  const record = role && accountId && (await sessions.account(accountId));
  if (!record) return refuse(NO_MEMBER);
  return ok({ ...record, ...ofPerson({ id: person.id, role, isConfirmed }, mode), accountId });
}

/** What the way of a person has in place of a key's terms. */
const ofPerson = (person: NonNullable<KeyRecord["person"]>, mode: Mode) => ({
  keyId: person.id,
  person,
  mode,
  scopes: scopesOf(person.role, mode),
  services: null,
  cidrs: null,
  expiresAt: null,
  revokedAt: null,
  rolled: null,
  spendCapKobo: null,
  spendsAs: person.id,
});

/**
 * Browsers say it themselves on HTTPS and on localhost. Elsewhere the origin does, which they send with each request that may change
 * something.
 */
function isOwnPage({ method, headers, host }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin } = headers;
  if (origin === undefined) return SAFE_METHODS.includes(method);
  return URL.canParse(origin) && new URL(origin).host === host;
}

function isSame(given: string | readonly string[] | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const OTHER_SITE = refusal(
  "cross_site_request",
  "A session is for the portal's own pages, and this request comes from elsewhere. Programs send an API key in X-API-Key.",
);
const WRONG_TOKEN = refusal(
  "cross_site_request",
  "The request has no `Afara-CSRF` header, or not the session's own token. Load the page again and repeat what you did.",
);
const ENDED = refusal("session_ended", "Your session has ended. Sign in again.");
const WITHOUT_ACCOUNT = refusal(
  "validation_failed",
  "A signed-in request names its account in `Afara-Account` (acc_…) and its mode in `Afara-Mode` (test or live).",
);
const NO_MEMBER = refusal("not_a_member", "There is no such account, or you are not a member of it.");

export const CONFIRMATION_REQUIRED = refusal(
  "confirmation_required",
  "Confirm that it is you: with your password, a code or a passkey. Then repeat the request.",
);
