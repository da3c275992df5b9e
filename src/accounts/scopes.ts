export const SCOPES = ["read", "send", "vend", "manage"] as const;
export type Scope = (typeof SCOPES)[number];
