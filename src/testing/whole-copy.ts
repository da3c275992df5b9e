import type pg from "pg";
import { withSnapshot } from "../db/table-copy.ts";

/** All rows of all tables as a backup has them, by table: to search for what must not be there. */
export async function wholeCopy(connection: pg.ClientConfig): Promise<ReadonlyMap<string, string>> {
  return withSnapshot(connection, new AbortController().signal, async ({ tables, read }) => {
    const copies = new Map<string, string>();
    for (const table of tables) {
      const parts: Buffer[] = [];
      for await (const part of read(table).data()) parts.push(part);
      copies.set(table.table, Buffer.concat(parts).toString("utf8"));
    }
    return copies;
  });
}

/** The rows in which one of the texts stands, with their tables. */
export const rowsWith = (copies: ReadonlyMap<string, string>, texts: readonly string[]): readonly string[] =>
  [...copies].flatMap(([table, rows]) =>
    rows.split("\n").flatMap((row) => (texts.some((text) => row.includes(text)) ? [`${table}: ${row}`] : [])),
  );
