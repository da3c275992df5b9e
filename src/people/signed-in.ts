import type { Role } from "../accounts/roles.ts";
import type { Uuid } from "../kernel/ids.ts";

export interface Person {
  readonly id: Uuid;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Whether signing in takes a second factor. */
  readonly twoFactor: boolean;
  /** The owner of a local account may have none. */
  readonly hasPassword: boolean;
  /** How many. */
  readonly passkeys: number;
  /** Runs this gateway, and has a second factor. */
  readonly isOperator: boolean;
}

export interface Membership {
  readonly accountId: Uuid;
  readonly accountName: string;
  readonly role: Role;
}

/** A person with a session that has not ended. */
export interface SignedIn {
  readonly person: Person;
  readonly sessionId: Uuid;
  /** The person showed lately that it is they (ADR 52). */
  readonly isConfirmed: boolean;
  /** What a request that changes something sends in `Afara-CSRF`. */
  readonly csrfToken: string;
  readonly memberships: readonly Membership[];
}
