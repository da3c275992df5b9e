import { Button } from "@mantine/core";
import { useThrottledCallback } from "@mantine/hooks";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { api, type Models, take } from "../../api/client.ts";
import { useEvents } from "../../api/events.ts";
import { useScope } from "../../api/session.ts";
import { Empty } from "../../pieces/Empty.tsx";
import { Page, SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { OrderDrawer } from "./OrderDrawer.tsx";
import { OrderFilters } from "./OrderFilters.tsx";
import { OrderRows } from "./OrderRows.tsx";

const PAGE = 50;
const RENEW_MS = 1_000;

type Query = {
  limit: number;
  after?: string;
  to?: string;
  reference?: string;
  service?: "sms";
  status?: Models["SmsStatus"];
};

/** A number is looked for as the recipient, anything else as the reference. */
const found = (find: string): Pick<Query, "to" | "reference"> =>
  /^\+?[\d\s-]{6,}$/.test(find) ? { to: find.replaceAll(/[\s-]/g, "") } : { reference: find };

export function Orders() {
  const { find, service, status, order } = useSearch({ from: "/frame/orders" });
  const scope = useScope();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const orders = useInfiniteQuery({
    queryKey: [...scope, "orders", "all", find, service, status],
    queryFn: ({ pageParam }) => {
      const query: Query = {
        limit: PAGE,
        ...(pageParam && { after: pageParam }),
        ...(find && found(find)),
        ...(service && { service: service as "sms" }),
        ...(status && { status: status as "sent" }),
      };
      return take(api.GET("/orders", { params: { query } }));
    },
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const renew = useThrottledCallback(
    () => void queries.invalidateQueries({ queryKey: [...scope, "orders"] }),
    RENEW_MS,
  );
  useEvents(renew);
  const rows = orders.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = Boolean(find || service || status);
  return (
    <Page title="Orders" line="Everything that was sent or bought, newest first. It changes as you look.">
      <OrderFilters />
      <section className="card" aria-label="Orders">
        {orders.data ? (
          rows.length > 0 ? (
            <OrderRows orders={rows} />
          ) : isFiltered ? (
            <Empty
              icon="search"
              title="Nothing fits"
              action={
                <Button variant="default" component={Link} to="/orders">
                  Clear the filters
                </Button>
              }
            >
              No order has all of this. Try a wider search.
            </Empty>
          ) : (
            <Empty
              icon="orders"
              title="No orders yet"
              action={
                <Button component={Link} to="/services/sms">
                  Send an SMS
                </Button>
              }
            >
              Each message and purchase appears here with its state, its money and its timeline.
            </Empty>
          )
        ) : orders.error ? (
          <ProblemView error={orders.error} again={() => void orders.refetch()} />
        ) : (
          <SkeletonRows count={8} />
        )}
      </section>
      {orders.hasNextPage && (
        <div>
          <Button variant="default" loading={orders.isFetchingNextPage} onClick={() => void orders.fetchNextPage()}>
            Show older orders
          </Button>
        </div>
      )}
      <OrderDrawer
        id={order}
        close={() => void navigate({ to: "/orders", search: ({ order: _closed, ...rest }) => rest, replace: true })}
      />
    </Page>
  );
}
