import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import type { ConfigFile } from "../../src/config/operator-file.ts";
import { inodeOf, readInstallation, writeInstallation } from "../../src/db/installation-file.ts";

/** The project's configuration with a second seller of airtime and of electricity: each has orders in the fixture. */
export const withAllVendors = (config: ConfigFile, settings: Readonly<Record<string, unknown>> = {}): ConfigFile => ({
  ...config,
  providers: Object.fromEntries(
    Object.entries(config.providers).map(([name, provider]) => [
      name,
      name.startsWith("smsc") || name.startsWith("vtpass")
        ? { ...provider, settings: { ...provider.settings, ...settings } }
        : provider,
    ]),
  ),
  routes: [
    ...config.routes,
    { provider: "reloadly-simulator", service: "airtime", modes: ["test"], window: 200, ratePerSecond: 1_000 },
    { provider: "buypower-simulator", service: "electricity", modes: ["test"], window: 200, ratePerSecond: 1_000 },
  ],
});

/** What the build of the fixture sold. It has no order of a later service. */
export const SERVICES_OF_FIXTURE: readonly string[] = ["airtime", "chat", "electricity", "sms"];

const FIXTURES = join(import.meta.dirname, "fixtures");
const unpacked = (name: string) => gunzipSync(readFileSync(join(FIXTURES, name))).toString();

/** Fills an empty database and a data directory as the build before the rebuilding left them a moment ago. */
export async function loadFixture(connection: pg.ClientConfig, dataDir?: string): Promise<void> {
  const { takenAt, files } = JSON.parse(unpacked("data-dir.json.gz")) as {
    readonly takenAt: string;
    readonly files: Readonly<Record<string, string>>;
  };
  const milliseconds = Date.now() - Date.parse(takenAt);
  if (dataDir !== undefined) {
    for (const [name, base64] of Object.entries(files)) {
      mkdirSync(join(dataDir, dirname(name)), { recursive: true });
      writeFileSync(join(dataDir, name), contentOf(name, Buffer.from(base64, "base64"), milliseconds), { mode: 0o600 });
    }
    const file = readInstallation(dataDir);
    if (file) writeInstallation(dataDir, { ...file, dataDir: realpathSync(dataDir), inode: inodeOf(dataDir) });
    moveVendorTimes(join(dataDir, "vendors/vendors.sqlite"), milliseconds);
  }
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(unpacked("database.sql.gz"));
    await client.query("select ensure_partitions()"); // for the times that the rows are moved to
    await moveTimes(client, milliseconds);
  } finally {
    await client.end();
  }
}

const NO_PROCESS = 2 ** 31 - 1;

/** A file of the data directory: the killed node was on this machine, and the network has its messages since a moment ago. */
function contentOf(name: string, content: Buffer, milliseconds: number): Buffer | string {
  if (name.startsWith("nodes/")) return JSON.stringify({ pid: NO_PROCESS, host: hostname() });
  if (name.startsWith("smsc/"))
    return content
      .toString()
      .replaceAll(
        /"at":"([^"]+)"/g,
        (_, at: string) => `"at":"${new Date(Date.parse(at) + milliseconds).toISOString()}"`,
      );
  return content;
}

/** The simulated vendors' memory has its times in milliseconds since 1970. */
function moveVendorTimes(path: string, milliseconds: number): void {
  const db = new DatabaseSync(path);
  try {
    const vends = db.prepare("select id, stages from vends").all() as { id: number; stages: string }[];
    for (const { id, stages } of vends) {
      const moved = (JSON.parse(stages) as { at: number }[]).map((stage) => ({
        ...stage,
        at: stage.at + milliseconds,
      }));
      db.prepare("update vends set made_at = made_at + ?, stages = ? where id = ?").run(
        milliseconds,
        JSON.stringify(moved),
        id,
      );
    }
    for (const [table, column] of [
      ["calls", "at"],
      ["tokens", "at"],
      ["callbacks", "due_at"],
    ])
      db.prepare(`update ${table} set ${column} = ${column} + ?`).run(milliseconds);
  } finally {
    db.close();
  }
}

/**
 * The fixture is to be a moment old whenever the test runs: what happens to an open order depends on its age. The audit log
 * stays as it is, because its hashes cover its times.
 */
async function moveTimes(client: pg.Client, milliseconds: number): Promise<void> {
  const interval = `interval '${milliseconds} ms'`;
  const { rows } = await client.query<{ table_name: string; changes: string }>(
    `select c.table_name, string_agg(format('%1$I = %1$I + $1', c.column_name), ', ') as changes
       from information_schema.columns c
       join pg_class t on t.relname = c.table_name and t.relnamespace = 'public'::regnamespace
      where c.table_schema = 'public' and c.data_type = 'timestamp with time zone'
        and t.relkind in ('r', 'p') and not t.relispartition and c.table_name not in ('migrations', 'audit_log')
      group by 1`,
  );
  await client.query("set session_replication_role = replica");
  for (const { table_name, changes } of rows)
    await client.query(`update "${table_name}" set ${changes.replaceAll("$1", interval)}`);
  await client.query(
    `update provider_references set parked = (
       select jsonb_agg(jsonb_set(report, '{at}', to_jsonb(to_char(((report->>'at')::timestamptz + ${interval}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))))
         from jsonb_array_elements(parked) report) where parked is not null`,
  );
}
