import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ask, setCsrfToken } from "./client.ts";
import { goTo, type Mode, placeNow, usePlace } from "./place.ts";

export type Role = "owner" | "developer" | "finance" | "viewer";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

export interface Session {
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly email_verified: boolean;
    readonly two_factor: boolean;
    /** The owner of a local account may have none. */
    readonly has_password: boolean;
    /** How many. */
    readonly passkeys: number;
  } | null;
  /** Runs this gateway. */
  readonly operator: boolean;
  readonly csrf_token: string | null;
  readonly accounts: readonly Account[];
  readonly gateway: { readonly local: boolean; readonly sign_up: "open" | "invitation" | "approval" };
}

const SESSION = ["session"];

async function readSession(): Promise<Session> {
  const session = await ask<Session>("GET", "/session");
  setCsrfToken(session.csrf_token);
  const isMember = session.accounts.some(({ id }) => id === placeNow().account);
  const first = session.accounts[0];
  if (first && !isMember) goTo({ account: first.id });
  return session;
}

export const useSession = () => useQuery({ queryKey: SESSION, queryFn: readSession, staleTime: 60_000 });

/** Reads the session anew, and forgets what was read for somebody else. */
export function useRenewSession() {
  const queries = useQueryClient();
  return async () => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
    return queries.fetchQuery({ queryKey: SESSION, queryFn: readSession, staleTime: 0 });
  };
}

/** The account that this tab looks at. */
export function useAccount(): Account | undefined {
  const { data } = useSession();
  const { account } = usePlace();
  return data?.accounts.find(({ id }) => id === account) ?? data?.accounts[0];
}

/** What is read stands apart for each account and mode. */
export function useScope(): readonly [string, Mode] {
  const { account, mode } = usePlace();
  return [account ?? "none", mode];
}

/** Who is offered what. The gateway decides again when it is done. */
const OFFERED: Readonly<Record<"send" | "keys" | "subscribe" | "team", readonly Role[]>> = {
  send: ["owner", "developer"],
  keys: ["owner", "developer"],
  subscribe: ["owner", "finance"],
  team: ["owner"],
};

export function useMay(what: keyof typeof OFFERED): boolean {
  const account = useAccount();
  return account !== undefined && OFFERED[what].includes(account.role);
}
