import { Icon } from "./Icon.tsx";
import { stateOf } from "./states.ts";
import styles from "./Timeline.module.css";
import { lasted, timeOf } from "./time.ts";

export interface Step {
  readonly status: string;
  readonly at: string;
  readonly detail?: string;
  /** What it moved in the wallet. */
  readonly money?: string;
}

/** What happened to an order, step by step, with what the far end said. */
export function Timeline({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol className={styles.line}>
      {steps.map(({ status, at, detail, money }, index) => {
        const { tone, icon, means } = stateOf(status);
        return (
          <li key={`${status} ${at}`} className={styles.step}>
            <span className={styles.dot} data-tone={tone}>
              <Icon name={icon} size={12} />
            </span>
            <div>
              <div className="row">
                <strong>{status.replaceAll("_", " ")}</strong>
                <time dateTime={at} className="soft number">
                  {timeOf(at)}
                </time>
                {index > 0 && <span className="soft number">+{lasted(steps[0]?.at ?? at, at)}</span>}
              </div>
              <p className="soft">{detail ?? means}</p>
              {money && <p className={`${styles.money} number`}>{money}</p>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
