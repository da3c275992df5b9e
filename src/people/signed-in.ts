import type { Role } from "../accounts/roles.ts";
import type { Uuid } from "../kernel/ids.ts";

export interface Person {
  readonly id: Uuid;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Whether signing in takes a second factor. */
  readonly twoFactor: boolean;
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
  /** What a request that changes something sends in `Afara-CSRF`. */
  readonly csrfToken: string;
  readonly memberships: readonly Membership[];
}
