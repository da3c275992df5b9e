import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./Notice.module.css";

type NoticeTone = "done" | "waiting";

const ICONS: Readonly<Record<NoticeTone, IconName>> = { done: "check", waiting: "warning" };

/** What came of a step that was taken elsewhere, such as a mail's link, and what to do now. */
export const Notice = ({ tone, children }: { readonly tone: NoticeTone; readonly children: ReactNode }) => (
  <div className={`${styles.notice} ${styles[tone]}`} role="status">
    <span className={styles.icon}>
      <Icon name={ICONS[tone]} />
    </span>
    <p>{children}</p>
  </div>
);
