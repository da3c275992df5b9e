import { Button } from "@mantine/core";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Empty } from "../../pieces/Empty.tsx";
import { Icon } from "../../pieces/Icon.tsx";
import { Page, SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { RequestDrawer } from "./RequestDrawer.tsx";
import { RequestFilters } from "./RequestFilters.tsx";
import { RequestRows } from "./RequestRows.tsx";
import { useRequests } from "./requests.queries.ts";

export function Requests() {
  const { request, ...filters } = useSearch({ from: "/frame/requests" });
  const navigate = useNavigate();
  const { requests, rows, fresh, freshMax } = useRequests(filters);
  const isFiltered = Object.keys(filters).length > 0;
  const clear = (
    <Button variant="default" component={Link} to="/requests">
      Clear the filters
    </Button>
  );
  const older = (
    <Button variant="default" loading={requests.isFetchingNextPage} onClick={() => void requests.fetchNextPage()}>
      {rows.length > 0 ? "Show older requests" : "Look further back"}
    </Button>
  );
  return (
    <Page
      title="Request log"
      line="What your programs and your team asked for, with the answers, for 7 days. Keys, secrets and tokens are left out."
    >
      <RequestFilters />
      <div aria-live="polite">
        {fresh > 0 && (
          <Button
            size="xs"
            variant="light"
            leftSection={<Icon name="roll" size={15} />}
            loading={requests.isRefetching}
            onClick={() => void requests.refetch()}
          >
            {fresh < freshMax ? `Show ${fresh} new` : `Show ${freshMax} or more new`}
          </Button>
        )}
      </div>
      <section className="card" aria-label="Requests">
        {requests.data ? (
          rows.length > 0 ? (
            <RequestRows requests={rows} />
          ) : requests.hasNextPage ? (
            <Empty icon="search" title="Nothing yet" action={older}>
              None of the newest requests fits. Older ones were not looked at.
            </Empty>
          ) : isFiltered ? (
            <Empty icon="search" title="Nothing fits" action={clear}>
              No request of the last 7 days has all of this.
            </Empty>
          ) : (
            <Empty
              icon="log"
              title="No requests yet"
              action={
                <Button component={Link} to="/services/sms">
                  Send an SMS
                </Button>
              }
            >
              Each call of the API appears here a second after its answer, also a refused one.
            </Empty>
          )
        ) : requests.error ? (
          <ProblemView error={requests.error} again={() => void requests.refetch()} />
        ) : (
          <SkeletonRows count={8} />
        )}
      </section>
      {rows.length > 0 && requests.hasNextPage && <div>{older}</div>}
      <RequestDrawer
        id={request}
        close={() => void navigate({ to: "/requests", search: ({ request: _closed, ...rest }) => rest, replace: true })}
      />
    </Page>
  );
}
