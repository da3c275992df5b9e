import { createHmac, timingSafeEqual } from "node:crypto";
import type { Uuid } from "../kernel/ids.ts";
import { derivedKey } from "../kernel/seal.ts";

/** What cookies and tokens of sessions are signed with, each under a purpose of its own. */
export interface SessionKeys {
  /** Signs the cookies, and seals the seeds of second factors. */
  readonly library: string;
  /** The cookie's name; browsers take `__Host-` from HTTPS alone. */
  readonly cookie: string;
  /** The session's token in a `Cookie` header, if its signature is ours. */
  tokenIn(cookies: string): string | undefined;
  /** Whether these cookies name a session. */
  isNamed(cookies: string): boolean;
  csrfTokenOf(sessionId: Uuid): string;
  /** `Set-Cookie` of the session with this token, in the library's form. */
  cookieOf(token: string): string;
  /** Keeps in mind, in the browser alone, which sign-up was made there: of one address there may be several, of several people. */
  signUpMark(personId: Uuid): string;
  hasSignUpMark(cookies: string, personId: Uuid): boolean;
}

export function makeSessionKeys(secret: string, isSecure: boolean): SessionKeys {
  const library = derivedKey(secret, "portal sessions v1").toString("base64url");
  const csrf = derivedKey(secret, "portal csrf tokens v1");
  const mark = derivedKey(secret, "portal sign-up marks v1");
  const cookie = `${cookiePrefix(isSecure)}.session`;
  const attributes = cookieAttributes(isSecure);
  const markOf = (personId: Uuid) =>
    `${cookiePrefix(isSecure)}.sign-up=${createHmac("sha256", mark).update(personId).digest("base64url")}`;
  const values = new RegExp(`(?:^|;) *${cookie.replaceAll(".", "\\.")}=([^;]*)`, "g");
  return {
    library,
    cookie,
    isNamed: (cookies) => cookies.includes(`${cookie}=`),
    tokenIn(cookies) {
      // A second cookie of the name is another's: which of them is meant would be a guess.
      const [given, ...others] = [...cookies.matchAll(values)].map(([, value]) => value!);
      return given === undefined || others.length > 0 ? undefined : signedToken(library, given);
    },
    cookieOf: (token) =>
      `${cookie}=${encodeURIComponent(`${token}.${signatureOf(library, token).toString("base64")}`)}; Max-Age=${SESSION_SECONDS}${attributes}`,
    signUpMark: (personId) => `${markOf(personId)}; Max-Age=${MARK_SECONDS}${attributes}`,
    hasSignUpMark: (cookies, personId) => cookies.split(/; */).includes(markOf(personId)),
    csrfTokenOf: (sessionId) => createHmac("sha256", csrf).update(sessionId).digest("base64url"),
  };
}

const SESSION_SECONDS = 30 * 24 * 60 * 60;
/** As long as the link in the mail. */
const MARK_SECONDS = 24 * 60 * 60;

export const cookiePrefix = (isSecure: boolean): string => (isSecure ? "__Host-afara" : "afara");

/** Of a `Set-Cookie`, after the value. */
export const cookieAttributes = (isSecure: boolean): string =>
  `; Path=/; HttpOnly${isSecure ? "; Secure" : ""}; SameSite=Lax`;

const signatureOf = (key: string, token: string): Buffer => createHmac("sha256", key).update(token).digest();

/** `<token>.<base64 of its HMAC>`, percent-encoded. */
function signedToken(key: string, value: string): string | undefined {
  const [token, signature, ...more] = decoded(value).split(".");
  if (!token || !signature || more.length > 0) return undefined;
  const [given, right] = [Buffer.from(signature, "base64"), signatureOf(key, token)];
  return given.length === right.length && timingSafeEqual(given, right) ? token : undefined;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}
