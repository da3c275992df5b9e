/** What people of an account may be. Keys have scopes instead. */
export const ROLES = ["owner", "developer", "finance", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** What people may do in an account. */
export type Permission =
  | "see_orders"
  | "see_wallet"
  | "see_members"
  | "export_statement"
  | "top_up"
  | "manage_keys"
  | "manage_webhooks"
  | "manage_senders"
  | "manage_plans"
  | "manage_account"
  | "manage_members";

const EVERYONE: readonly Permission[] = ["see_orders", "see_wallet", "see_members"];
const DEVELOPER: readonly Permission[] = [...EVERYONE, "manage_keys", "manage_webhooks", "manage_senders"];
const FINANCE: readonly Permission[] = [...EVERYONE, "export_statement", "top_up", "manage_plans"];

/**
 * Who makes keys can spend money, and who pays need not be able to: so developers and finance share nothing that changes
 * anything, and only owners decide about people.
 */
const PERMISSIONS: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  viewer: new Set(EVERYONE),
  developer: new Set(DEVELOPER),
  finance: new Set(FINANCE),
  owner: new Set([...DEVELOPER, ...FINANCE, "manage_account", "manage_members"]),
};

export const mayDo = (role: Role, permission: Permission): boolean => PERMISSIONS[role].has(permission);

/** Whether the account still has an owner after the change: one without could never be looked after again. */
export function keepsAnOwner(
  members: readonly { readonly email: string; readonly role: Role }[],
  change: { readonly email: string; readonly role: Role | "removed" },
): boolean {
  return members.some(({ email, role }) => (email === change.email ? change.role : role) === "owner");
}
