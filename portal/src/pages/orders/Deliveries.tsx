import type { Order } from "../../api/orders.ts";
import { SkeletonRows } from "../../pieces/Page.tsx";
import { ProblemView } from "../../pieces/ProblemView.tsx";
import { Pill } from "../../pieces/StatusPill.tsx";
import { dayAndTime, timeOf, took } from "../../pieces/time.ts";
import styles from "./Drawer.module.css";
import { type Delivery, useDeliveries } from "./order.queries.ts";

/** What the account's webhooks were told of an order, and what they answered. */
export function Deliveries({ order }: { readonly order: Order }) {
  const { may, deliveries } = useDeliveries(order);
  return (
    <section aria-label="Webhooks" className={styles.part}>
      <h3>Webhooks</h3>
      {!may ? (
        <p className="soft">Owners and developers see what webhooks were told.</p>
      ) : deliveries.data ? (
        deliveries.data.data.length > 0 ? (
          deliveries.data.data.map((delivery) => <Attempt key={delivery.id} delivery={delivery} />)
        ) : (
          <p className="soft">No webhook was told of it.</p>
        )
      ) : deliveries.error ? (
        <ProblemView error={deliveries.error} again={() => void deliveries.refetch()} />
      ) : (
        <SkeletonRows count={1} />
      )}
    </section>
  );
}

const Attempt = ({ delivery }: { readonly delivery: Delivery }) => (
  <details className={styles.more}>
    <summary>
      <Pill
        tone={delivery.status === "succeeded" ? "done" : "failed"}
        icon={delivery.status === "succeeded" ? "check" : "cross"}
      >
        {delivery.response_status ?? delivery.error?.replaceAll("_", " ")}
      </Pill>{" "}
      <span className="mono">{delivery.type}</span>{" "}
      <span className="soft number">
        attempt {delivery.attempt}, {timeOf(delivery.at)}, {took(delivery.duration_ms)}
      </span>
    </summary>
    <p className={`${styles.small} mono`}>{delivery.webhook.url}</p>
    {delivery.next_attempt_at && <p className="soft">Next attempt: {dayAndTime(delivery.next_attempt_at)}</p>}
    {delivery.response_start ? (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      <pre className={`${styles.answer} mono`} tabIndex={0}>
        {delivery.response_start}
      </pre>
    ) : (
      <p className="soft">It answered without a text.</p>
    )}
  </details>
);
