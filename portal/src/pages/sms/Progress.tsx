import { Link } from "@tanstack/react-router";
import type { Models } from "../../api/client.ts";
import { StatusPill } from "../../pieces/StatusPill.tsx";
import { lasted } from "../../pieces/time.ts";
import styles from "./TryIt.module.css";

interface ProgressProps {
  readonly message: Models["SmsMessage"] | undefined;
  readonly timeline: readonly Models["TimelineEntry"][] | undefined;
  readonly failure: Models["Failure"] | undefined;
}

/** The message's way so far, in a line that changes by itself. */
export function Progress({ message, timeline = [], failure }: ProgressProps) {
  const [first, last] = [timeline[0], timeline.at(-1)];
  return (
    <div className={styles.progress} aria-live="polite">
      {message && (
        <>
          <StatusPill status={message.status} />
          {first && last && first !== last && <span className="soft number">{lasted(first.at, last.at)}</span>}
          <ol className={styles.steps}>
            {timeline.map(({ status, at }) => (
              <li key={`${status} ${at}`}>{status}</li>
            ))}
          </ol>
          <Link to="/orders" search={{ order: message.id }}>
            Open
          </Link>
          {failure && <p className="soft">{failure.detail}</p>}
        </>
      )}
    </div>
  );
}
