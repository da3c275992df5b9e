import type { ReactNode } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import styles from "./StatusPill.module.css";
import { stateOf, type Tone } from "./states.ts";

/** A tone with its icon and word: colour alone says nothing. */
export const Pill = (is: { readonly tone: Tone; readonly icon: IconName; readonly children: ReactNode }) => (
  <span className={`${styles.pill} ${styles[is.tone]}`}>
    <Icon name={is.icon} size={13} />
    {is.children}
  </span>
);

export function StatusPill({ status }: { readonly status: string }) {
  const { tone, icon, means } = stateOf(status);
  return (
    <span title={means}>
      <Pill tone={tone} icon={icon}>
        {status.replaceAll("_", " ")}
      </Pill>
    </span>
  );
}
