import { ask } from "./client.ts";

/** Where a mail's link leads back to. */
const HOME = "/portal";

interface SignedIn {
  readonly twoFactorRedirect?: boolean;
}

export const signUp = (person: { name: string; email: string; password: string }): Promise<unknown> =>
  ask("POST", "/auth/sign-up/email", { ...person, callbackURL: HOME });

export const signIn = (email: string, password: string): Promise<SignedIn> =>
  ask("POST", "/auth/sign-in/email", { email, password });

export const verifyCode = (code: string): Promise<unknown> => ask("POST", "/auth/two-factor/verify-totp", { code });

/** One of the codes for a lost phone, which works once. */
export const verifyBackupCode = (code: string): Promise<unknown> =>
  ask("POST", "/auth/two-factor/verify-backup-code", { code });

export const signOut = (): Promise<unknown> => ask("POST", "/auth/sign-out", {});

export const sendVerification = (email: string): Promise<unknown> =>
  ask("POST", "/auth/send-verification-email", { email, callbackURL: HOME });

/** Where somebody did not sign up, the link of the mail takes the password that they chose. */
export const confirmAddress = (token: string, password: string): Promise<unknown> =>
  ask("POST", "/auth/verify-email", { token, password });

export const requestReset = (email: string): Promise<unknown> =>
  ask("POST", "/auth/request-password-reset", { email, redirectTo: "/portal/reset-password" });

export const resetPassword = (token: string, newPassword: string): Promise<unknown> =>
  ask("POST", "/auth/reset-password", { token, newPassword });
