import { useMediaQuery } from "@mantine/hooks";
import { columnVisibilityFeature, tableFeatures, useTable } from "@tanstack/react-table";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import table from "../Table.module.css";
import { classOf } from "../TableHead.tsx";
import { type Column, DENSITIES, NARROW_PIXELS } from "./column.ts";
import styles from "./DataTable.module.css";
import { KeysHelp } from "./KeysHelp.tsx";
import { useKeys } from "./keys.ts";
import { useLayout } from "./layout.ts";
import { TableMenu } from "./TableMenu.tsx";
import { type Place, VirtualRows } from "./VirtualRows.tsx";

interface TableProps<Row> {
  /** Under which the layout is kept. */
  readonly id: string;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What opening the row is called. */
  readonly labelOf: (row: Row) => string;
  readonly open: (row: Row) => void;
  readonly hasMore: boolean;
  readonly readMore: () => void;
  readonly search: () => void;
  /** Whether somebody is at a row: nothing moves under their hands then. */
  readonly onPlace?: (isTaken: boolean) => void;
  /** Beside the menu of columns. */
  readonly tools?: ReactNode;
}

const features = tableFeatures({ columnVisibilityFeature });

/** Rows of any number, read page by page as they are scrolled to, walked with j and k. Columns and density are the reader's. */
export function DataTable<Row extends object>(is: TableProps<Row>) {
  const { columns, rows, keyOf, labelOf, open, onPlace } = is;
  const [layout, change] = useLayout(is.id);
  const isNarrow = useMediaQuery("(max-width: 767px)", undefined, { getInitialValueInEffect: false }) ?? false;
  const [place, setPlace] = useState<Place>();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => onPlace?.(place !== undefined), [place, onPlace]);

  const columnVisibility = useMemo(
    () =>
      Object.fromEntries(
        columns.map(({ id, isOptional }) => [id, isNarrow || (layout.shown[id] ?? isOptional !== true)]),
      ),
    [columns, layout.shown, isNarrow],
  );
  const model = useTable({
    features,
    columns: useMemo(() => columns.map(({ id, name }) => ({ id, header: name })), [columns]),
    data: rows,
    getRowId: keyOf,
    state: { columnVisibility },
  });
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns]);
  const shown = model.getVisibleLeafColumns().flatMap(({ id }) => byId.get(id) ?? []);
  const keys = useMemo(() => rows.map(keyOf), [rows, keyOf]);

  const move = (by: number) => {
    const at = place ? keys.indexOf(place.key) : -1;
    const next = keys[at < 0 ? 0 : Math.min(Math.max(at + by, 0), keys.length - 1)];
    if (next !== undefined) setPlace({ key: next, moves: (place?.moves ?? 0) + 1 });
  };
  useKeys({ j: () => move(1), k: () => move(-1), "/": is.search, "?": () => setHelpOpen(true) }, layout.hasKeys);
  const focused = useCallback((key: string) => setPlace((old) => (old?.key === key ? old : { key, moves: 0 })), []);

  const row = (index: number): ReactNode => {
    const of = rows[index];
    if (of === undefined) return null;
    const key = keys[index] ?? "";
    return (
      <tr aria-rowindex={index + 2} className={styles.row} data-place={place?.key === key || undefined}>
        {shown.map((column, at) => (
          <td key={column.id} className={classOf(column)}>
            {at === 0 ? (
              <button
                type="button"
                className={table.open}
                data-key={key}
                onClick={() => open(of)}
                onFocus={() => focused(key)}
                aria-label={labelOf(of)}
              >
                {column.cell(of)}
              </button>
            ) : (
              column.cell(of)
            )}
            {column.narrow && <div className={table.narrow}>{column.narrow(of)}</div>}
          </td>
        ))}
      </tr>
    );
  };

  return (
    <>
      <div className={styles.tools}>
        {is.tools}
        {!isNarrow && (
          <TableMenu
            columns={columns}
            isShown={(id) => columnVisibility[id] === true}
            layout={layout}
            change={change}
            showKeys={() => setHelpOpen(true)}
          />
        )}
      </div>
      <table
        className={`${table.table} ${styles.table}`}
        aria-label={is.label}
        aria-rowcount={is.hasMore ? -1 : rows.length + 1}
        data-density={isNarrow ? "narrow" : layout.density}
      >
        <colgroup>
          {shown.map(({ id, width, isWide }) => (
            <col
              key={id}
              className={isWide ? table.wide : undefined}
              style={width === undefined || isNarrow ? undefined : { width }}
            />
          ))}
        </colgroup>
        <thead className={styles.head}>
          <tr aria-rowindex={1}>
            {shown.map((column) => (
              <th key={column.id} scope="col" className={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <VirtualRows
          keys={keys}
          rowPixels={isNarrow ? NARROW_PIXELS : DENSITIES[layout.density]}
          columnCount={shown.length}
          place={place}
          hasMore={is.hasMore}
          readMore={is.readMore}
          row={row}
        />
      </table>
      <KeysHelp
        opened={isHelpOpen}
        close={() => setHelpOpen(false)}
        areOn={layout.hasKeys}
        turn={(hasKeys) => change({ hasKeys })}
      />
    </>
  );
}
