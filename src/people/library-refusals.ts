import { type Refusal, refusal } from "../kernel/refusal.ts";

export const WRONG_CREDENTIALS = refusal("wrong_credentials", "Email or password is not right.");
export const LINK_NOT_VALID = refusal(
  "link_not_valid",
  "This link was used, is too old, or is not whole. Ask for a new one.",
);
export const NEEDS_PASSWORD = refusal(
  "wrong_credentials",
  "This is not the browser in which you signed up. Enter the password that you chose there.",
);
export const AWAITING_APPROVAL = refusal(
  "awaiting_approval",
  "Your address is confirmed. The operator looks at your sign-up; sign in once it is approved.",
);
export const SESSION_ENDED = refusal("session_ended", "Your session has ended. Sign in again.");
export const WRONG_CODE = refusal("wrong_code", "The code is not right, or no longer. Enter the current one.");
export const WRONG_PASSWORD = refusal("wrong_credentials", "The password is not right.");
export const NO_SECOND_FACTOR = refusal("invalid_state", "There is no second factor. Turn it on first.");

const PASSWORD_LENGTH_WRONG = refusal("validation_failed", "A password has 10 to 128 characters.");

/** better-auth's codes, as refusals of ours. */
const BY_CODE: Readonly<Record<string, Refusal>> = {
  INVALID_EMAIL_OR_PASSWORD: WRONG_CREDENTIALS,
  INVALID_EMAIL: refusal("validation_failed", "This is no email address.", {
    errors: [{ pointer: "/email", code: "wrong_format", detail: "An email address, such as ada@example.com." }],
  }),
  EMAIL_NOT_VERIFIED: refusal(
    "email_not_verified",
    "Confirm your address first: open the link in the mail, or ask for another.",
  ),
  INVALID_PASSWORD: WRONG_PASSWORD,
  PASSWORD_TOO_SHORT: PASSWORD_LENGTH_WRONG,
  PASSWORD_TOO_LONG: PASSWORD_LENGTH_WRONG,
  CREDENTIAL_ACCOUNT_NOT_FOUND: WRONG_PASSWORD,
  INVALID_TOKEN: LINK_NOT_VALID,
  TOKEN_EXPIRED: LINK_NOT_VALID,
  USER_NOT_FOUND: LINK_NOT_VALID,
  AWAITING_APPROVAL,
  UNAUTHORIZED: SESSION_ENDED,
  INVALID_CODE: WRONG_CODE,
  INVALID_BACKUP_CODE: WRONG_CODE,
  INVALID_TWO_FACTOR_COOKIE: refusal("session_ended", "Signing in took too long. Begin again with your password."),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: refusal("wrong_code", "Too many wrong codes. Begin again with your password."),
  ACCOUNT_TEMPORARILY_LOCKED: refusal("wrong_code", "Too many wrong codes. Wait a quarter of an hour."),
  TOTP_NOT_ENABLED: NO_SECOND_FACTOR,
  TWO_FACTOR_NOT_ENABLED: NO_SECOND_FACTOR,
  BACKUP_CODES_NOT_ENABLED: NO_SECOND_FACTOR,
  TOTP_ALREADY_ENABLED: refusal("invalid_state", "There is a second factor already. Turn it off first."),
};

/** The refusal for an answer of better-auth; undefined: nothing that a caller can bring about. */
export function refusalOf(status: number, code: string): Refusal | undefined {
  if (status >= 500) return undefined;
  const known = BY_CODE[code];
  if (known) return known;
  return status === 401 ? SESSION_ENDED : refusal("invalid_state", "This can't be done now.", { internal: code });
}
