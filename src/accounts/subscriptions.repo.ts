import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";

export async function subscribe(db: Db, accountId: Uuid, service: string, plan: string): Promise<void> {
  await db.query(
    `insert into subscriptions (account_id, service, plan) values ($1, $2, $3)
     on conflict (account_id, service) do update set plan = excluded.plan, since = now() where subscriptions.plan <> excluded.plan`,
    [accountId, service, plan],
  );
}
