import styles from "./Meter.module.css";

export interface MeterToken {
  readonly kind: string;
  /** 20 digits in groups of four. */
  readonly value: string;
  readonly units: string;
}

interface MeterProps {
  readonly number: string;
  /** In the order in which they are typed in. */
  readonly tokens: readonly MeterToken[];
  readonly isWaiting: boolean;
}

const BLANK = "---- ---- ---- ---- ----";
const KINDS: Readonly<Record<string, string>> = {
  kct1: "first key change",
  kct2: "second key change",
  credit: "credit",
  bonus: "bonus",
};
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0", "↵"];

/** The simulated prepaid meter at the far end, with what was sold to it. */
export function Meter({ number, tokens, isWaiting }: MeterProps) {
  const shown = tokens.length > 0 ? tokens : [{ kind: "credit", value: BLANK, units: "" }];
  return (
    <figure className={styles.meter} aria-label={`The simulated meter ${number}`}>
      <div className={styles.head}>
        <span className="number">{number || "No meter"}</span>
        <span className={styles.light} data-on={tokens.length > 0 || undefined} />
      </div>
      <div className={`${styles.screen} mono`} role="log" aria-live="polite" aria-label="The meter’s screen">
        {shown.map(({ kind, value, units }) => (
          <div key={`${kind} ${value}`}>
            <p className={styles.kind}>{tokens.length > 0 ? `${KINDS[kind] ?? kind} token` : "token"}</p>
            <p className={styles.digits}>
              {value === BLANK ? <span className={styles.blank}>{isWaiting ? "waiting …" : BLANK}</span> : value}
            </p>
            {units !== "" && Number(units) > 0 && <p className={styles.units}>{units} kWh</p>}
          </div>
        ))}
      </div>
      <div className={styles.keys} aria-hidden="true">
        {KEYS.map((key) => (
          <span key={key}>{key}</span>
        ))}
      </div>
    </figure>
  );
}
