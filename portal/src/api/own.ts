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
