import pg from "pg";

/** Of one server alone: its running nodes, how far it has placed events by its own transaction ids, and its request log. */
const OF_ONE_SERVER = ["nodes", "node_routes", "sql_functions", "feed_progress", "request_log"];

/** Every row of every table, as a sum by table, without what belongs to one server alone. */
export async function tableSums(connection: pg.ClientConfig): Promise<Readonly<Record<string, string>>> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
          and relname <> all ($1) order by 1`,
      [OF_ONE_SERVER],
    );
    const found: Record<string, string> = {};
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(row, '|' order by row)), '') as sum
           from (select (to_jsonb(t) - 'xid')::text as row from ${name} t) rows`,
      );
      found[name] = rows[0]!.sum;
    }
    return found;
  } finally {
    await client.end();
  }
}
