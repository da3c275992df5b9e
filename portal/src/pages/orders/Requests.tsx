import { useState } from "react";
import type { Order } from "../../api/orders.ts";
import { SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { timeOf, took } from "../../pieces/time.ts";
import styles from "./Drawer.module.css";
import { type LoggedRequest, useRequest, useRequests } from "./order.queries.ts";

/** The requests about an order, each with its answer as it was sent. */
export function Requests({ order }: { readonly order: Order }) {
  const requests = useRequests(order.id);
  return (
    <section aria-label="Requests" className={styles.part}>
      <h3>Requests</h3>
      {requests.data ? (
        requests.data.length > 0 ? (
          requests.data.map((request) => <Exchange key={request.id} order={order.id} request={request} />)
        ) : (
          <p className="soft">None is kept. Requests and their answers are kept for 7 days.</p>
        )
      ) : requests.error ? (
        <ProblemView error={requests.error} again={() => void requests.refetch()} />
      ) : (
        <SkeletonRows count={1} />
      )}
    </section>
  );
}

function Exchange({ order, request }: { readonly order: string; readonly request: LoggedRequest }) {
  const [isOpen, setOpen] = useState(false);
  const full = useRequest(order, request.id, isOpen);
  return (
    <details className={styles.more} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="mono">
          {request.method} {request.path}
        </span>{" "}
        <span className="number">{request.status}</span>{" "}
        <span className="soft number">
          {timeOf(request.at)}, {took(request.duration_ms)}
        </span>
      </summary>
      {full.data ? (
        <>
          <Body name="Request" of={full.data.request.body} />
          <Body name="Answer" of={full.data.answer.body} />
          <p className={`${styles.small} soft mono`}>{request.id}</p>
        </>
      ) : full.error ? (
        <ProblemView error={full.error} />
      ) : (
        isOpen && <SkeletonRows count={3} />
      )}
    </details>
  );
}

const Body = ({ name, of }: { readonly name: string; readonly of: unknown }) => (
  <figure className={styles.body}>
    <figcaption className="soft">{name}</figcaption>
    {of === null || of === undefined ? (
      <p className="soft">No body is kept.</p>
    ) : (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      <pre className="mono" tabIndex={0}>
        {typeof of === "string" ? of : JSON.stringify(of, null, 2)}
      </pre>
    )}
  </figure>
);
