import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createKey } from "../../api/keys.ts";

export function useCreateKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: createKey,
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes("keys") }),
  });
}
