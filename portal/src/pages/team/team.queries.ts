import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Account } from "../../api/session.ts";
import { listInvitations, listMembers } from "../../api/team.ts";

/** The same in both modes, so it is read once for an account. */
const keyOf = (account: Account) => ["team", account.id] as const;

export const useMembers = (account: Account) =>
  useQuery({ queryKey: [...keyOf(account), "members"], queryFn: () => listMembers(account.id) });

export const useInvitations = (account: Account) =>
  useQuery({ queryKey: [...keyOf(account), "invitations"], queryFn: () => listInvitations(account.id) });

/** Something done to the team, after which it is read anew. */
export function useTeamAct<Of>(account: Account, act: (of: Of) => Promise<unknown>, done: (of: Of) => unknown) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (of: Of) => {
      await act(of);
      await queries.invalidateQueries({ queryKey: keyOf(account) });
      await done(of);
    },
  });
}
