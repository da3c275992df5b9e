import type { ErrorCodesOf, OwnRefusals } from "../http/problems.ts";

/** What signing in refuses besides the common codes. */
export const PEOPLE_REFUSALS = {
  problems: {
    wrong_credentials: { status: 401, title: "Email or password is not right" },
    wrong_passkey: { status: 401, title: "Passkey is not right" },
    wrong_code: { status: 401, title: "Code is not right" },
    email_not_verified: { status: 403, title: "Email address is not confirmed" },
    awaiting_approval: { status: 403, title: "Sign-up awaits the operator's approval" },
    role_missing: { status: 403, title: "Role does not allow this" },
    link_not_valid: { status: 422, title: "Link is used, too old, or not whole" },
  },
  fieldCodes: [],
} as const satisfies OwnRefusals;

declare module "../kernel/refusal.ts" {
  interface ErrorCodes extends ErrorCodesOf<typeof PEOPLE_REFUSALS> {}
}
