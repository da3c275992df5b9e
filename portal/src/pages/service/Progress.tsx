import { Link } from "@tanstack/react-router";
import type { Models } from "../../api/client.ts";
import { Prose } from "../../pieces/Prose.tsx";
import { StatusPill } from "../../pieces/StatusPill.tsx";
import { lasted } from "../../pieces/time.ts";
import styles from "./TryIt.module.css";

/** An order as it was accepted, or as it is now. */
export interface Tried {
  readonly id: string;
  readonly status: string;
  readonly timeline?: readonly Models["TimelineEntry"][] | readonly Models["ChatTimelineEntry"][];
  readonly failure?: Models["Failure"];
}

/** The order's way so far, in a line that changes by itself. */
export function Progress({ order }: { readonly order: Tried | undefined }) {
  const timeline = order?.timeline ?? [];
  const steps = timeline.filter(({ status }, index) => status !== timeline[index - 1]?.status);
  const [first, last] = [timeline[0], timeline.at(-1)];
  return (
    <div className={styles.progress} aria-live="polite">
      {order && (
        <>
          <StatusPill status={order.status} />
          {first && last && first !== last && <span className="soft number">{lasted(first.at, last.at)}</span>}
          <ol className={styles.steps}>
            {steps.map(({ status, at }) => (
              <li key={`${status} ${at}`}>{status.replaceAll("_", " ")}</li>
            ))}
          </ol>
          <Link to="/orders" search={{ order: order.id }}>
            Open
          </Link>
          {order.failure && (
            <p className="soft">
              <Prose text={order.failure.detail} />
            </p>
          )}
        </>
      )}
    </div>
  );
}
