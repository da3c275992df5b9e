import { useSyncExternalStore } from "react";
import { ask } from "./client.ts";
import type { Mode } from "./place.ts";

export interface Key {
  readonly id: string;
  readonly mode: Mode;
  readonly starts: string;
  readonly ends: string;
  readonly scopes: readonly string[];
  readonly services: readonly string[] | null;
  /** The person who made it here, and whether they are a member yet. */
  readonly made_by: { readonly id: string; readonly name: string; readonly member: boolean } | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}
/** As it is made: the one time that the key itself is told. */
export type NewKey = Key & { readonly key: string };

export interface KeyWish {
  readonly mode: Mode;
  readonly scopes?: readonly string[];
  readonly services?: readonly string[];
}

export const listKeys = (): Promise<{ data: readonly Key[]; has_more: boolean }> => ask("GET", "/keys?limit=100");

export const createKey = async ({ mode, ...wish }: KeyWish): Promise<NewKey> =>
  kept(await ask<NewKey>("POST", "/keys", wish, mode));

export const rollKey = async (id: string, overlapHours: number): Promise<NewKey> =>
  kept(await ask<NewKey>("POST", `/keys/${id}/roll`, { overlap_hours: overlapHours }));

export const revokeKey = (id: string): Promise<void> => ask("DELETE", `/keys/${id}`);

/** The key that was made in this tab, for its examples. In memory alone: a reload forgets it. */
let keyOfTab: NewKey | undefined;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function kept(key: NewKey): NewKey {
  keyOfTab = key;
  for (const listener of listeners) listener();
  return key;
}

export const useKeyOfTab = (): NewKey | undefined => useSyncExternalStore(subscribe, () => keyOfTab);
