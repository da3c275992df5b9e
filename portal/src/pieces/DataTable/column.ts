import type { ReactNode } from "react";
import type { Head } from "../TableHead.tsx";

/** A column of a `DataTable`. The first one is always shown: what is in it opens the row. */
export interface Column<Row> extends Omit<Head, "isHidden"> {
  readonly id: string;
  readonly cell: (row: Row) => ReactNode;
  /** Below the cell, where the table has no room for columns of its own. */
  readonly narrow?: (row: Row) => ReactNode;
  /** In pixels; columns without one share what is left. */
  readonly width?: number;
  /** Not shown until a person wants it. */
  readonly isOptional?: boolean;
}

export const DENSITIES = { comfortable: 44, compact: 32 } as const;
export type Density = keyof typeof DENSITIES;

/** Of a card. */
export const NARROW_PIXELS = 68;
