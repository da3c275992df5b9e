import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCallback, useRef } from "react";
import { DataTable } from "../../pieces/DataTable/DataTable.tsx";
import { Empty } from "../../pieces/Empty.tsx";
import { LinkButton } from "../../pieces/LinkButton.tsx";
import { Page, SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { COLUMNS, keyOf, labelOf } from "./columns.tsx";
import { ExportButton } from "./ExportButton.tsx";
import type { OrderList } from "./lists.ts";
import { OrderDrawer } from "./OrderDrawer.tsx";
import { OrderFilters } from "./OrderFilters.tsx";
import { useOrders } from "./orders.queries.ts";
import { useOrderSearch } from "./search.ts";
import { Views } from "./Views.tsx";

export function Orders() {
  const { list, filters, order, change, isFiltered } = useOrderSearch();
  const isTaken = useRef(false);
  const orders = useOrders(filters, () => isTaken.current || order !== undefined);
  const search = useRef<HTMLInputElement>(null);
  const onPlace = useCallback((is: boolean) => {
    isTaken.current = is;
  }, []);
  const { rows, error, hasNextPage } = orders;
  return (
    <Page title={list.title} line={list.line}>
      <Views />
      <OrderFilters input={search} />
      <section className="card" aria-label={list.title}>
        {rows.length > 0 ? (
          <DataTable
            key={list.path}
            id="orders"
            label={list.title}
            columns={COLUMNS}
            rows={rows}
            keyOf={keyOf}
            labelOf={labelOf}
            open={({ id }) => change({ order: id })}
            hasMore={hasNextPage && !error}
            readMore={orders.readMore}
            search={() => search.current?.focus()}
            onPlace={onPlace}
            tools={
              <>
                <New count={orders.waiting} of={list} show={() => void orders.renew()} />
                <ExportButton filters={filters} />
              </>
            }
          />
        ) : orders.data ? (
          isFiltered ? (
            <NoneFits path={list.path} />
          ) : (
            <None of={list} />
          )
        ) : (
          !error && <SkeletonRows count={10} />
        )}
        {error && <ProblemView error={error} again={() => void orders.renew()} />}
        {orders.isFetchingNextPage && <SkeletonRows count={2} />}
      </section>
      <OrderDrawer
        id={order}
        close={() => change({ order: undefined }, { replace: true })}
        show={(id) => change({ order: id }, { replace: true })}
      />
    </Page>
  );
}

interface NewProps {
  readonly count: number;
  readonly of: OrderList;
  readonly show: () => void;
}

const New = ({ count, of, show }: NewProps) => (
  <div role="status">
    {count > 0 && (
      <Button variant="light" onClick={show}>
        Show {count} new {count === 1 ? of.one : `${of.one}s`}
      </Button>
    )}
  </div>
);

const NoneFits = ({ path }: { readonly path: OrderList["path"] }) => (
  <Empty
    icon="search"
    title="Nothing fits"
    action={
      <Button variant="default" component={Link} to={path}>
        Clear the filters
      </Button>
    }
  >
    Nothing has all of this. Try a wider search, and look whether you are in the right mode.
  </Empty>
);

const None = ({ of: { one, first } }: { readonly of: OrderList }) => (
  <Empty icon="orders" title={`No ${one}s yet`} action={<LinkButton to={first.to}>{first.name}</LinkButton>}>
    Each {one} appears here with its state, its money and its timeline.
  </Empty>
);
