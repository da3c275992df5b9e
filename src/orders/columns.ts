import type { Uuid } from "../kernel/ids.ts";

/** How values become the columns that the database's functions unnest. */

/** An array of nothing but nulls goes as null: `unnest` fills up with nulls, and nothing is written or parsed. */
export const sparse = <Value>(values: readonly (Value | null)[]): readonly (Value | null)[] | null =>
  values.some((value) => value !== null) ? values : null;

export const json = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/** Smallest and largest, so that only the partitions between them are looked at. As text they sort like the database's uuid. */
export function boundsOf(ids: readonly Uuid[]): [Uuid, Uuid] {
  let [low, high] = [ids[0]!, ids[0]!];
  for (const id of ids) {
    if (id < low) low = id;
    if (id > high) high = id;
  }
  return [low, high];
}
