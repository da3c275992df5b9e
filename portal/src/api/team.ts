import { ask } from "./client.ts";
import type { Role } from "./session.ts";

export interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
}

export interface Invitation {
  readonly id: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface MemberKey {
  readonly id: string;
  readonly mode: "test" | "live";
  readonly starts: string;
  readonly ends: string;
}

interface List<Row> {
  readonly data: readonly Row[];
}

const AT = "/auth/organization";

export const listMembers = (organizationId: string): Promise<List<Member>> =>
  ask("GET", `${AT}/list-members?${new URLSearchParams({ organizationId })}`);

/** Open ones. For owners alone. */
export const listInvitations = (organizationId: string): Promise<List<Invitation>> =>
  ask("GET", `${AT}/list-invitations?${new URLSearchParams({ organizationId })}`);

export const inviteMember = (organizationId: string, email: string, role: Role): Promise<Invitation> =>
  ask("POST", `${AT}/invite-member`, { organizationId, email, role });

export const withdrawInvitation = (organizationId: string, invitationId: string): Promise<void> =>
  ask("POST", `${AT}/cancel-invitation`, { organizationId, invitationId });

export const changeRole = (organizationId: string, memberId: string, role: Role): Promise<void> =>
  ask("POST", `${AT}/update-member-role`, { organizationId, memberId, role });

/** `endKeys`: the keys that they made are revoked with it. */
export const removeMember = (organizationId: string, memberId: string, endKeys: boolean): Promise<void> =>
  ask("POST", `${AT}/remove-member`, { organizationId, memberId, endKeys });

/** Those of both modes that a member made and that still work. */
export const listKeysOf = (organizationId: string, memberId: string): Promise<List<MemberKey>> =>
  ask("GET", `${AT}/list-member-keys?${new URLSearchParams({ organizationId, memberId })}`);

/** Open ones to the address of who is signed in. */
export const listOwnInvitations = (): Promise<List<Invitation>> => ask("GET", `${AT}/list-user-invitations`);

export const acceptInvitation = (invitationId: string): Promise<{ readonly account: string }> =>
  ask("POST", `${AT}/accept-invitation`, { invitationId });

export const declineInvitation = (invitationId: string): Promise<void> =>
  ask("POST", `${AT}/reject-invitation`, { invitationId });
