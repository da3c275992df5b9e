import type { Role } from "../accounts/roles.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Pages of the portal, and where the link that confirms an address leads. */
export const PAGES = {
  home: "/portal/",
  verify: "/portal/api/auth/verify-email", // leads on to the portal
  confirm: "/portal/verify", // asks for the password
  reset: "/portal/reset-password",
  signIn: "/portal/sign-in",
  invitation: "/portal/invitation",
  operator: "/portal/operator",
} as const;

/** Where an invitation is answered. */
export const invitationLink = (origin: string, { id, email }: { readonly id: Uuid; readonly email: string }): string =>
  linkTo(origin, "invitation", { id: encodeId("inv", id), email });

/** Where a person becomes an operator. */
export const operatorLink = (origin: string, token: string): string => linkTo(origin, "operator", { token });

const linkTo = (origin: string, page: keyof typeof PAGES, query: Readonly<Record<string, string>> = {}): string => {
  const search = new URLSearchParams(query).toString();
  return `${origin}${PAGES[page]}${search === "" ? "" : `?${search}`}`;
};

/** Texts without the name that was typed in at sign-up: a stranger could write anything there, to any address. */
const IGNORE = "If it was not you, ignore this mail: nothing happens without the link.";

export const verificationMail = (to: string, origin: string, token: string): Mail => ({
  to,
  subject: "Confirm your address for Afara",
  text: `Somebody signed up at Afara with this address. To confirm it, open this link within a day:

${linkTo(origin, "verify", { token })}

${IGNORE}
`,
});

export const knownAddressMail = (to: string, origin: string): Mail => ({
  to,
  subject: "You already have an account at Afara",
  text: `Somebody tried to sign up at Afara with this address, which already has an account. Sign in here, or choose a new
password there:

${linkTo(origin, "signIn")}

If it was not you, ignore this mail: nothing has changed.
`,
});

export const resetMail = (to: string, origin: string, token: string): Mail => ({
  to,
  subject: "Choose a new password for Afara",
  text: `Somebody asked for a new password for this address. To choose one, open this link within an hour. It works once, and
ends all sessions:

${linkTo(origin, "reset", { token })}

${IGNORE}
`,
});

export const passwordChangedMail = (to: string, origin: string): Mail => ({
  to,
  subject: "Your password for Afara was changed",
  text: `The password of this address was changed, and all other sessions were ended. If it was not you, choose a new one at
once:

${linkTo(origin, "signIn")}
`,
});

export const approvalMail = (to: string, origin: string): Mail => ({
  to,
  subject: "You can sign in to Afara",
  text: `Your sign-up at Afara is approved. Sign in here:

${linkTo(origin, "signIn")}
`,
});

export const invitationMail = (
  to: string,
  origin: string,
  invitation: { readonly id: Uuid; readonly email: string; readonly accountName: string; readonly role: Role },
): Mail => ({
  to,
  subject: "You are invited to an account at Afara",
  text: `You are invited to the account "${harmless(invitation.accountName)}" with the role ${invitation.role}. To accept, open this link and sign in
with this address, or sign up with it:

${invitationLink(origin, invitation)}

If you don't know the account, ignore this mail.
`,
});

/** An account's name is its owner's choice: no link of theirs goes out in our mail. */
const harmless = (name: string): string =>
  name
    .replace(/[\p{C}\s]+/gu, " ")
    .replace(/[/:\\@<>]|\.(?=\S)/g, " ")
    .trim()
    .slice(0, 80);
