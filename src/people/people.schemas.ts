import Type from "typebox";
import { ROLES } from "../accounts/roles.ts";
import { closed, Id, oneOf } from "../http/schemas.ts";
import { PASSWORD_LENGTH } from "./library.ts";

const NO_SIGNS = '\\s@<>"(),:;\\\\\\[\\]\\u0000-\\u001f\\u007f';
/** The owner of a local account has one that no mail can reach: it is signed in with, and nothing else. */
const NO_MAIL = "(?!.*\\.[iI][nN][vV][aA][lL][iI][dD]$)";
const EMAIL = `[^${NO_SIGNS}]+@[^${NO_SIGNS}]+\\.[^${NO_SIGNS}]+$`;
const AN_EMAIL = { maxLength: 254, description: "an email address, such as ada@example.com" };
const Email = Type.String({ ...AN_EMAIL, pattern: `^${NO_MAIL}${EMAIL}` });
const EmailToSignIn = Type.String({ ...AN_EMAIL, pattern: `^${EMAIL}` });
/** Of a person. No part of a link, as mails may name it. */
const Name = Type.String({
  pattern:
    "^[^\\u0000-\\u001f\\u007f<>/\\\\:@]*[^\\s\\u0000-\\u001f\\u007f<>/\\\\:@][^\\u0000-\\u001f\\u007f<>/\\\\:@]*$",
  maxLength: 100,
  description: "a name, without < > / \\ : @",
});
const NewPassword = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });
const Password = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max });
const Code = Type.String({ minLength: 1, maxLength: 40 });
const Token = Type.String({ minLength: 1, maxLength: 2_000 });
/** Clients of better-auth send where to go on. We know that ourselves. */
const Ignored = Type.Optional(Type.String({ maxLength: 2_000 }));

export const SignUp = closed({ name: Name, email: Email, password: NewPassword, callbackURL: Ignored });
export const SignIn = closed({ email: EmailToSignIn, password: Password, callbackURL: Ignored });
export const VerificationMail = closed({ email: Email, callbackURL: Ignored });
export const VerifyLink = closed({ token: Token, callbackURL: Ignored });
export const VerifyEmail = closed({ token: Token, password: Type.Optional(Password), callbackURL: Ignored });
export const LocalLink = closed({ token: Token });
export const ResetMail = closed({ email: Email, redirectTo: Ignored });
export const Reset = closed({ token: Token, newPassword: NewPassword });
export const SecondFactor = closed({ code: Code });
export const ChangePassword = closed({ currentPassword: Password, newPassword: NewPassword });
/** Whoever has a password must give it. */
export const Confirm = closed({ password: Type.Optional(Password) });
export const EndSession = closed({ id: Id("ses") });

/** Bytes that a browser hands over. */
const Bytes = (maxLength: number) => Type.String({ pattern: "^[A-Za-z0-9_-]+$", maxLength });
/** As long as any credential's ID may be. */
const CredentialId = Bytes(1_364);

export const PasskeyAnswer = closed({
  id: CredentialId,
  client_data: Bytes(2_000),
  authenticator_data: Bytes(1_000),
  signature: Bytes(4_000),
  user_handle: Type.Optional(Bytes(100)),
});
export const NewPasskey = closed({
  name: Name,
  id: CredentialId,
  client_data: Bytes(2_000),
  attestation: Bytes(6_000),
  transports: Type.Array(Type.String({ pattern: "^[a-z-]{1,20}$" }), { maxItems: 8 }),
});
export const RemovePasskey = closed({ id: Id("psk") });
/** One of the ways in that the person has. */
export const Confirmation = closed({
  password: Type.Optional(Password),
  code: Type.Optional(Code),
  passkey: Type.Optional(PasskeyAnswer),
});
export const OperatorLink = closed({ token: Type.String({ minLength: 1, maxLength: 100 }) });
export const SetPassword = closed({ newPassword: NewPassword });

const Role = oneOf(ROLES);
const ofAccount = { organizationId: Id("acc") };

export const OfAccount = closed(ofAccount);
export const Invite = closed({ ...ofAccount, email: Email, role: Role });
export const Withdraw = closed({ ...ofAccount, invitationId: Id("inv") });
export const ChangeRole = closed({ ...ofAccount, memberId: Id("usr"), role: Role });
export const OfMember = closed({ ...ofAccount, memberId: Id("usr") });
export const Remove = closed({ ...ofAccount, memberId: Id("usr"), endKeys: Type.Optional(Type.Boolean()) });
export const Answer = closed({ invitationId: Id("inv") });
