import type { ReactNode } from "react";
import styles from "./Handset.module.css";
import { clockOf } from "./time.ts";

export interface Shown {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  readonly at: string;
  /** `own`: written on this phone; `notice`: airtime or data that has arrived. */
  readonly kind?: "own" | "notice";
}

interface HandsetProps {
  readonly phone: string;
  readonly messages: readonly Shown[];
  /** What has not been sent yet. */
  readonly draft?: { readonly from: string; readonly text: string } | undefined;
  /** What is written on the phone with. */
  readonly foot?: ReactNode;
}

/** The simulated phone at the far end. */
export function Handset({ phone, messages, draft, foot }: HandsetProps) {
  const last = messages.findLast(({ kind }) => kind !== "own");
  const from = draft?.from ?? last?.from ?? "Afara";
  return (
    <figure className={styles.handset} aria-label={`The simulated phone ${phone}`}>
      <div className={styles.bar}>
        <span className={styles.speaker} />
      </div>
      <div className={styles.head}>
        <span className={styles.face}>{from.replace("+", "").slice(0, 1).toUpperCase()}</span>
        <strong>{from}</strong>
        <span className={`${styles.phone} number`}>{phone}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div className={styles.screen} role="log" aria-live="polite" aria-label="Messages on the phone" tabIndex={0}>
        {messages.map(({ id, text, at, kind }) => (
          <div key={id} className={styles.message} data-kind={kind}>
            <p className={styles.bubble}>{text}</p>
            <time dateTime={at} className={`${styles.time} number`}>
              {clockOf(at)}
            </time>
          </div>
        ))}
        {draft && draft.text !== "" && (
          <div className={styles.message} data-draft>
            <p className={styles.bubble}>{draft.text}</p>
            <span className={styles.time}>not sent yet</span>
          </div>
        )}
      </div>
      {foot ?? <div className={styles.foot} />}
    </figure>
  );
}
