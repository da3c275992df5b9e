import { useThrottledCallback } from "@mantine/hooks";
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { useEvents } from "../../api/events.ts";
import { findOrders, type Listed, type OrderFilters, type OrderPage } from "../../api/orders.ts";
import { useScope } from "../../api/session.ts";
import { isIn } from "./is-in.ts";

const PAGE = 100;
const RENEW_MS = 1_000;
/** So near the top nobody reads what would move. */
const TOP_PIXELS = 40;

type Pages = InfiniteData<OrderPage, string>;

const NONE: readonly Listed[] = [];

/**
 * The orders, page by page. What changes changes in place; new ones come by themselves only while the top is looked at, and otherwise
 * wait to be asked for: nothing moves under a reader's eyes.
 */
export function useOrders(filters: OrderFilters, isTaken: () => boolean) {
  const [account, mode] = useScope();
  const queries = useQueryClient();
  const queryKey = useMemo(() => [account, mode, "orders", "found", filters], [account, mode, filters]);
  const [waiting, setWaiting] = useState<ReadonlySet<string>>(new Set());
  const orders = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => findOrders(filters, PAGE, pageParam),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }: OrderPage) => next_cursor,
    staleTime: Number.POSITIVE_INFINITY, // events tell what changes; all pages anew would be a request each
    gcTime: 0,
  });
  const { data, fetchNextPage, refetch } = orders;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? NONE, [data]);
  const ids = useMemo(() => new Set(rows.map(({ id }) => id)), [rows]);

  const renew = useCallback(() => {
    setWaiting(new Set());
    queries.setQueryData<Pages>(queryKey, firstPage);
    return refetch();
  }, [queries, refetch, queryKey]);
  const renewSoon = useThrottledCallback(() => void renew(), RENEW_MS);

  useEvents(({ data: { object } }) => {
    const order = object as Listed;
    if (ids.has(order.id)) queries.setQueryData<Pages>(queryKey, (pages) => withOrder(pages, order));
    else if (isIn(order, filters)) {
      if (window.scrollY < TOP_PIXELS && !isTaken()) renewSoon();
      else setWaiting((old) => new Set([...old, order.id]));
    }
  });

  const isReading = useRef(false);
  isReading.current = orders.isFetchingNextPage;
  const readMore = useCallback(() => {
    if (!isReading.current) void fetchNextPage({ cancelRefetch: false });
  }, [fetchNextPage]);
  return { ...orders, rows, readMore, renew, waiting: waiting.size };
}

const firstPage = (pages: Pages | undefined): Pages | undefined =>
  pages && { pages: pages.pages.slice(0, 1), pageParams: pages.pageParams.slice(0, 1) };

const withOrder = (pages: Pages | undefined, order: Listed): Pages | undefined =>
  pages && {
    ...pages,
    pages: pages.pages.map((page) =>
      page.data.some(({ id }) => id === order.id)
        ? { ...page, data: page.data.map((one) => (one.id === order.id ? ({ ...one, ...order } as Listed) : one)) }
        : page,
    ),
  };
