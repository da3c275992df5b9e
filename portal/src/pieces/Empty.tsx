import type { ReactNode } from "react";
import styles from "./Empty.module.css";
import { Icon, type IconName } from "./Icon.tsx";

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
  /** The one action that fills it. */
  readonly action?: ReactNode;
}

/** What would be here. */
export const Empty = ({ icon, title, children, action }: EmptyProps) => (
  <div className={styles.empty}>
    <span className={styles.icon}>
      <Icon name={icon} size={22} />
    </span>
    <h2>{title}</h2>
    <p className="soft">{children}</p>
    {action}
  </div>
);
