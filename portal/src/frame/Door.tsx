import type { ReactNode } from "react";
import { useTitle } from "../pieces/Page.tsx";
import { Wordmark } from "../pieces/Wordmark.tsx";
import styles from "./Door.module.css";

interface DoorProps {
  readonly title: string;
  readonly line: ReactNode;
  readonly children: ReactNode;
  /** Where else one may want to go. */
  readonly foot?: ReactNode;
}

/** A page of who is not signed in: one column, and a bridge beside it where there is room. */
export function Door({ title, line, children, foot }: DoorProps) {
  useTitle(title);
  return (
    <div className={styles.door}>
      <main className={styles.side}>
        <a href="/portal" className={styles.mark} aria-label="Afara, home">
          <Wordmark height={28} />
        </a>
        <div className={styles.form}>
          <header>
            <h1>{title}</h1>
            <p className="soft">{line}</p>
          </header>
          {children}
          {foot && <p className={styles.foot}>{foot}</p>}
        </div>
        <p className={styles.end}>
          <a href="/docs">API reference</a>
          <a href="/docs/guides">Guides</a>
        </p>
      </main>
      <aside className={styles.view}>
        <Bridge />
        <div className={styles.words}>
          <p>Messages, airtime, data, electricity and cable TV in Nigeria.</p>
          <p>One key, one wallet, and an answer you can account for.</p>
        </div>
      </aside>
    </div>
  );
}

const ARCHES = [0, 1, 2, 3];

const Bridge = () => (
  <svg viewBox="0 0 640 360" className={styles.bridge} aria-hidden="true" focusable="false">
    {ARCHES.map((index) => (
      <g key={index} transform={`translate(${index * 180 - 50} 0)`}>
        <path d="M0 290C0 210 40 160 90 160s90 50 90 130" fill="none" stroke="currentColor" strokeWidth="3" />
        <path d="M30 214v-74M60 174v-34M90 160v-20M120 174v-34M150 214v-74" stroke="currentColor" strokeOpacity=".45" />
        <path d="M0 290v-150" stroke="currentColor" strokeWidth="3" />
      </g>
    ))}
    <path d="M-20 138h680" stroke="currentColor" strokeWidth="5" />
    <path
      d="M-20 306h680M20 322h600M60 338h520"
      stroke="currentColor"
      strokeOpacity=".3"
      strokeDasharray="60 14 24 18"
    />
  </svg>
);
