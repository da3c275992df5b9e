import { Icon } from "../../pieces/Icon.tsx";
import styles from "./TryIt.module.css";

interface CustomerProps {
  /** As the meter's or smartcard's company knows it. */
  readonly name: string | undefined;
  /** Before it is known. */
  readonly hint: string;
  readonly lines: readonly string[];
}

/** Whose meter or smartcard it is: what a buyer is shown before anything is bought. */
export const Customer = ({ name, hint, lines }: CustomerProps) => (
  <div className={styles.customer} role="status" aria-label="Customer">
    <span className={styles.face}>
      <Icon name={name ? "check" : "person"} />
    </span>
    {name ? (
      <div>
        <strong>{name}</strong>
        {lines
          .filter((line) => line !== "")
          .map((line) => (
            <p key={line} className="soft">
              {line}
            </p>
          ))}
      </div>
    ) : (
      <p className="soft">{hint}</p>
    )}
  </div>
);
