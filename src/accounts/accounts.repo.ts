import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";

export async function insertAccount(db: Db, account: { id: Uuid; name: string }): Promise<void> {
  await db.query("insert into accounts (id, name) values ($1, $2) on conflict do nothing", [account.id, account.name]);
}

export async function suspendedAccounts(db: Db, ids: readonly Uuid[]): Promise<ReadonlySet<Uuid>> {
  const { rows } = await db.query<{ id: Uuid }>(
    {
      name: "suspended_accounts",
      text: "select id from accounts where id = any($1::uuid[]) and suspended_at is not null",
    },
    [ids],
  );
  return new Set(rows.map((row) => row.id));
}
