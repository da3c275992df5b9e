import styles from "./Television.module.css";

interface TelevisionProps {
  readonly name: string;
  /** Of the smartcard; nothing where there is none. */
  readonly card: string;
  readonly lines: readonly { readonly name: string; readonly text: string }[];
  readonly isPaid: boolean;
}

/** The simulated decoder at the far end: whose card it is, and what was paid for it. */
export const Television = ({ name, card, lines, isPaid }: TelevisionProps) => (
  <figure className={styles.set} aria-label={`The simulated decoder ${card}`}>
    <div className={styles.screen} role="log" aria-live="polite" aria-label="The television’s screen">
      <p className={styles.name}>{name}</p>
      {card && <p className="number">{card}</p>}
      <dl>
        {lines.map((line) => (
          <div key={line.name}>
            <dt>{line.name}</dt>
            <dd>{line.text}</dd>
          </div>
        ))}
      </dl>
    </div>
    <div className={styles.foot}>
      <span className={styles.light} data-on={isPaid || undefined} />
      {isPaid ? "Paid" : "Waiting for a payment"}
    </div>
  </figure>
);
