import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { listRequests, type RequestFilters, readRequest } from "../../api/requests.ts";
import { useScope } from "../../api/session.ts";

const PAGE = 50;
const LOOK_AGAIN_MS = 4_000;

/** The requests as they were when the page was opened, or when it was last asked for new ones: nothing moves under the reader's eyes. */
export function useRequests(filters: RequestFilters) {
  const scope = useScope();
  const requests = useInfiniteQuery({
    queryKey: [...scope, "requests", "all", filters],
    queryFn: ({ pageParam }) => listRequests(filters, { limit: PAGE, ...(pageParam && { after: pageParam }) }),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchOnWindowFocus: false,
  });
  const rows = requests.data?.pages.flatMap(({ data }) => data) ?? [];
  const newest = rows[0]?.id ?? "";
  const ahead = useQuery({
    queryKey: [...scope, "requests", "ahead", filters],
    queryFn: () => listRequests(filters, { limit: PAGE }),
    enabled: requests.isSuccess,
    refetchInterval: LOOK_AGAIN_MS,
  });
  // Ids are in the order of time.
  const fresh = requests.isSuccess ? (ahead.data?.data.filter(({ id }) => id > newest).length ?? 0) : 0;
  return { requests, rows, fresh, freshMax: PAGE };
}

export function useRequest(id: string | undefined) {
  const scope = useScope();
  return useQuery({
    queryKey: [...scope, "requests", "one", id],
    queryFn: () => readRequest(id ?? ""),
    enabled: id !== undefined,
    staleTime: 60_000,
  });
}
