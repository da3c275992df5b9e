import type { Mode } from "../kernel/mode.ts";
import { SCOPES, type Scope } from "./scopes.ts";

/** Roles of an account's people. Keys have scopes instead. */
export const ROLES = ["owner", "developer", "finance", "viewer"] as const;
export type Role = (typeof ROLES)[number];

/** Permissions of people in an account. */
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
 * A person who creates keys can spend money, and one who pays need not: so developers and finance share no write permission, and
 * only owners manage people.
 */
const PERMISSIONS: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  viewer: new Set(EVERYONE),
  developer: new Set(DEVELOPER),
  finance: new Set(FINANCE),
  owner: new Set([...DEVELOPER, ...FINANCE, "manage_account", "manage_members"]),
};

export const mayDo = (role: Role, permission: Permission): boolean => PERMISSIONS[role].has(permission);

const SEES: readonly Scope[] = ["read"];

/**
 * The scopes of a signed-in person. Sending and vending in live mode spends money, so it is the owner's alone; what changes the account
 * is allowed by `mayDo` besides.
 */
export function scopesOf(role: Role, mode: Mode): readonly Scope[] {
  if (role === "owner") return SCOPES;
  if (role !== "developer") return SEES;
  return mode === "test" ? SCOPES : ["read", "manage"];
}

/** Scopes of the keys that a person may make, and so hold: whoever makes a key that spends, spends. Plan fees are spent by `manage`. */
export function keyScopesOf(role: Role, mode: Mode): readonly Scope[] {
  if (!mayDo(role, "manage_keys")) return [];
  return role === "owner" || mode === "test" ? SCOPES : SEES;
}

/** Whether the account still has an owner after the change; without one nobody could manage it. */
export function keepsAnOwner(
  members: readonly { readonly email: string; readonly role: Role }[],
  change: { readonly email: string; readonly role: Role | "removed" },
): boolean {
  return members.some(({ email, role }) => (email === change.email ? change.role : role) === "owner");
}
