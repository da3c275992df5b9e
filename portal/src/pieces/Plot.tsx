import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import styles from "./Plot.module.css";
import table from "./Table.module.css";

interface Point {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** Not reached yet. */
  readonly isAhead?: boolean;
  /** What the table says besides. */
  readonly more?: ReactNode;
}

interface PlotProps {
  readonly name: string;
  /** Heads of the table: what a point is, its value, what is said besides. */
  readonly columns: readonly [string, string, string];
  readonly points: readonly Point[];
}

const HEIGHT = 100;
const STEP = 10;
const GAP = 2;

/** Bars of one series, and the same as a table for those who want the figures. */
export function Plot({ name, columns, points }: PlotProps) {
  const [isTable, { toggle }] = useDisclosure();
  const most = Math.max(...points.map(({ value }) => value), 0);
  const highest = points.find(({ value }) => value === most);
  const sum = points.reduce((total, { value }) => total + value, 0);
  const rows = points.filter(({ value }) => value > 0);
  return (
    <figure className={styles.plot}>
      <p className={`${styles.most} soft number`} aria-hidden="true">
        {most > 0 ? most.toLocaleString("en-NG") : "Nothing yet"}
      </p>
      <svg
        viewBox={`0 0 ${points.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${sum} in all${most > 0 ? `, most on ${highest?.label}: ${most}` : ""}`}
        className={styles.bars}
      >
        {points.map(({ key, value, isAhead }, index) => {
          const height = value === 0 ? 1 : Math.max(3, (HEIGHT * value) / most);
          return (
            <rect
              key={key}
              x={index * STEP + GAP / 2}
              width={STEP - GAP}
              y={HEIGHT - height}
              height={height}
              className={isAhead ? styles.ahead : value === 0 ? styles.none : styles.bar}
            />
          );
        })}
      </svg>
      <div className={`${styles.ends} soft number`} aria-hidden="true">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </div>
      <div>
        <Button variant="default" size="xs" onClick={toggle} aria-expanded={isTable}>
          {isTable ? "Hide the table" : "Show as a table"}
        </Button>
      </div>
      {isTable &&
        (rows.length > 0 ? (
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{columns[0]}</th>
                <th scope="col" className={table.end}>
                  {columns[1]}
                </th>
                <th scope="col" className={table.end}>
                  {columns[2]}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, label, value, more }) => (
                <tr key={key}>
                  <td>{label}</td>
                  <td className={`${table.end} number`}>{value.toLocaleString("en-NG")}</td>
                  <td className={`${table.end} number`}>{more}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <p className="soft">Nothing yet.</p>
        ))}
    </figure>
  );
}
