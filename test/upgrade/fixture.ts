import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";

const FIXTURES = join(import.meta.dirname, "fixtures");
const unpacked = (name: string) => gunzipSync(readFileSync(join(FIXTURES, name))).toString();

/** Fills an empty database and a data directory as the build before the rebuilding left them a moment ago. */
export async function loadFixture(connection: pg.ClientConfig, dataDir?: string): Promise<void> {
  const { takenAt, files } = JSON.parse(unpacked("data-dir.json.gz")) as {
    readonly takenAt: string;
    readonly files: Readonly<Record<string, string>>;
  };
  if (dataDir !== undefined)
    for (const [name, base64] of Object.entries(files)) {
      mkdirSync(join(dataDir, dirname(name)), { recursive: true });
      writeFileSync(join(dataDir, name), Buffer.from(base64, "base64"), { mode: 0o600 });
    }
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(unpacked("database.sql.gz"));
    await client.query("select ensure_partitions()"); // for the times that the rows are moved to
    await moveTimes(client, Date.now() - Date.parse(takenAt));
  } finally {
    await client.end();
  }
}

/** The fixture is to be a moment old whenever the test runs: what happens to an open order depends on its age. */
async function moveTimes(client: pg.Client, milliseconds: number): Promise<void> {
  const { rows } = await client.query<{ table_name: string; changes: string }>(
    `select c.table_name, string_agg(format('%1$I = %1$I + $1', c.column_name), ', ') as changes
       from information_schema.columns c
       join pg_class t on t.relname = c.table_name and t.relnamespace = 'public'::regnamespace
      where c.table_schema = 'public' and c.data_type = 'timestamp with time zone'
        and t.relkind in ('r', 'p') and not t.relispartition and c.table_name <> 'migrations'
      group by 1`,
  );
  await client.query("set session_replication_role = replica");
  for (const { table_name, changes } of rows)
    await client.query(`update "${table_name}" set ${changes.replaceAll("$1", `interval '${milliseconds} ms'`)}`);
}
