import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { OrderFilters } from "../../api/orders.ts";
import { listAt } from "./lists.ts";

export interface OrderSearch extends Omit<OrderFilters, "kind"> {
  /** The one that is open. */
  readonly order?: string;
}

/**
 * The list that is looked at, and what the address says of it. A changed filter is an address of its own, so that the browser's way
 * back leads to the filters before.
 */
export function useOrderSearch() {
  const { pathname } = useLocation();
  const list = listAt(pathname);
  const search: OrderSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { order, find, service, status, from, to } = search;
  const filters = useMemo(
    (): OrderFilters => ({
      ...(list.kind && { kind: list.kind }),
      ...(find && { find }),
      ...(service && { service }),
      ...(status && { status }),
      ...(from && { from }),
      ...(to && { to }),
    }),
    [list, find, service, status, from, to],
  );
  const change = useCallback(
    (part: { readonly [Name in keyof OrderSearch]?: string | undefined }, { replace = false } = {}) => {
      const given = Object.entries({ find, service, status, from, to, order, ...part }).filter(([, value]) => value);
      void navigate({ to: list.path, search: Object.fromEntries(given), replace });
    },
    [navigate, list, find, service, status, from, to, order],
  );
  return { list, filters, order, change, isFiltered: Boolean(find || service || status || from || to) };
}
