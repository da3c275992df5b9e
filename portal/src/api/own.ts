import { ask } from "./client.ts";

export interface PortalSession {
  readonly id: string;
  readonly current: boolean;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
}

export interface SecondFactorSetup {
  /** `otpauth://`, with the key that the authenticator app keeps. */
  readonly totpURI: string;
  /** Each opens one session when the phone is lost. */
  readonly backupCodes: readonly string[];
}

export const changePassword = (currentPassword: string, newPassword: string): Promise<unknown> =>
  ask("POST", "/auth/change-password", { currentPassword, newPassword });

/** Of the owner of a local account, who has none yet. */
export const setPassword = (newPassword: string): Promise<unknown> =>
  ask("POST", "/auth/set-password", { newPassword });

export const confirmByPassword = (password: string): Promise<unknown> => ask("POST", "/auth/confirm", { password });

/** With a code of the authenticator app. */
export const confirmByCode = (code: string): Promise<unknown> => ask("POST", "/auth/confirm", { code });

/** Whether the link is for the signed-in person, before they take it. */
export const checkOperatorLink = (token: string): Promise<void> => ask("POST", "/auth/operator/check", { token });

/** With the token of the link that the operator was sent. */
export const becomeOperator = (token: string): Promise<void> => ask("POST", "/auth/operator/accept", { token });

export const listSessions = (): Promise<{ readonly data: readonly PortalSession[] }> =>
  ask("GET", "/auth/list-sessions");

export const endSession = (id: string): Promise<unknown> => ask("POST", "/auth/revoke-session", { id });

/** The owner of a local account may have no password to give. */
const confirmed = (password: string) => (password === "" ? {} : { password });

/** It is on only when a code of it was entered. */
export const setUpSecondFactor = (password: string): Promise<SecondFactorSetup> =>
  ask("POST", "/auth/two-factor/enable", confirmed(password));

export const turnSecondFactorOff = (password: string): Promise<unknown> =>
  ask("POST", "/auth/two-factor/disable", confirmed(password));
