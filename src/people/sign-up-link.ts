import type { Uuid } from "../kernel/ids.ts";

/** What the token of a mailed link says of the sign-up that it confirms. */
export interface SignUpLink {
  readonly email: string;
  readonly personId: Uuid;
}

/** As it stands in the token, whose signature the library checks later. Undefined: it is none. */
export function signUpLinkIn(token: string): SignUpLink | undefined {
  try {
    const { email, userId } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof email === "string" && typeof userId === "string" ? { email, personId: userId as Uuid } : undefined;
  } catch {
    return undefined;
  }
}
