import type { Db } from "./database.ts";

/** Missing partitions of this month and the next. Housekeeping creates them three months ahead. */
export async function missingPartitions(db: Db): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select format('%s_%s', t.name, to_char(now() at time zone 'UTC' + make_interval(months => m), 'YYYY_MM')) as name
       from partitioned_tables t, generate_series(0, 1) m
      where to_regclass(format('%s_%s', t.name, to_char(now() at time zone 'UTC' + make_interval(months => m), 'YYYY_MM'))) is null
      order by 1`,
  );
  return rows.map((row) => row.name);
}

/** Makes the partitions ahead, each in a transaction of its own. */
export async function makePartitions(db: Pick<Db, "query">): Promise<void> {
  for (let made = 1; made > 0; ) {
    const { rows } = await db.query<{ made: number }>("select ensure_partitions() as made");
    made = rows[0]!.made;
  }
}

/** Rows outside all partitions, counted up to a thousand per table: a clock was wrong. */
export async function strayRows(db: Db): Promise<bigint> {
  const { rows } = await db.query<{ rows: bigint }>("select default_partition_rows() as rows");
  return rows[0]!.rows;
}
