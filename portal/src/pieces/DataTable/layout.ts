import { useCallback, useState } from "react";
import { DENSITIES, type Density } from "./column.ts";

/** How a person wants to see a table. Kept in the browser. */
export interface Layout {
  readonly density: Density;
  /** Columns that are shown or hidden against what they are at first. */
  readonly shown: Readonly<Record<string, boolean>>;
  /** Whether single keys do something: who speaks to the machine types by accident. */
  readonly hasKeys: boolean;
}

const AT_FIRST: Layout = { density: "comfortable", shown: {}, hasKeys: true };

function read(name: string): Layout {
  try {
    const kept = { ...AT_FIRST, ...(JSON.parse(localStorage.getItem(name) ?? "{}") as Partial<Layout>) };
    return kept.density in DENSITIES ? kept : AT_FIRST;
  } catch {
    return AT_FIRST; // of an earlier form, or of somebody else
  }
}

export function useLayout(table: string): readonly [Layout, (change: Partial<Layout>) => void] {
  const name = `afara.table.${table}`;
  const [layout, setLayout] = useState(() => read(name));
  const change = useCallback(
    (part: Partial<Layout>) =>
      setLayout((old) => {
        const next = { ...old, ...part };
        localStorage.setItem(name, JSON.stringify(next));
        return next;
      }),
    [name],
  );
  return [layout, change];
}
