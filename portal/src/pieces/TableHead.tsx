import styles from "./Table.module.css";

export interface Head {
  readonly name: string;
  /** Left away where there is no room for it. */
  readonly isWide?: boolean;
  /** At the right edge: figures. */
  readonly isEnd?: boolean;
  /** For those who hear the table: the column's content says enough to who sees it. */
  readonly isHidden?: boolean;
}

export const classOf = ({ isWide, isEnd }: Pick<Head, "isWide" | "isEnd">): string =>
  [isWide && styles.wide, isEnd && styles.end].filter(Boolean).join(" ");

/** The heads of a table's columns. */
export const TableHead = ({ heads }: { readonly heads: readonly Head[] }) => (
  <thead>
    <tr>
      {heads.map((head) => (
        <th key={head.name} scope="col" className={classOf(head)}>
          {head.isHidden ? <span className={styles.hidden}>{head.name}</span> : head.name}
        </th>
      ))}
    </tr>
  </thead>
);
