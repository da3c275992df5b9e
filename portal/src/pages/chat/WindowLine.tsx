import { useInterval } from "@mantine/hooks";
import { useState } from "react";
import type { Models } from "../../api/client.ts";
import { Pill } from "../../pieces/StatusPill.tsx";
import { remaining } from "../../pieces/time.ts";
import styles from "./Chat.module.css";

const TICK_MS = 10_000;

interface WindowProps {
  readonly window: Models["ChatWindow"] | undefined;
  /** Templates go out at any time. */
  readonly isText: boolean;
}

/** Whether one may write freely, and for how long still. */
export function WindowLine({ window, isText }: WindowProps) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), TICK_MS, { autoInvoke: true });
  return (
    <div className={`row ${styles.window}`} aria-live="polite">
      {window?.open && window.closes_at ? (
        <>
          <Pill tone="done" icon="check">
            window open
          </Pill>
          <span className="soft number">{remaining(window.closes_at, now)} left</span>
        </>
      ) : (
        window && (
          <>
            <Pill tone="neutral" icon="clock">
              window closed
            </Pill>
            <span className="soft">
              {isText
                ? "A text needs an open window: write from the phone, or send a template."
                : "A template may be sent at any time."}
            </span>
          </>
        )
      )}
    </div>
  );
}
