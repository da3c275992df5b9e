import type { Database, Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { ViewFilters } from "./views.schemas.ts";

/** Whose views, and of which list. */
export interface ViewsOf {
  readonly accountId: Uuid;
  readonly personId: Uuid;
  readonly list: string;
}

export interface SavedView {
  readonly id: Uuid;
  readonly name: string;
  readonly filters: ViewFilters;
  readonly createdAt: Date;
}

interface ViewRow {
  id: Uuid;
  name: string;
  filters: ViewFilters;
  created_at: Date;
}

const viewFrom = ({ id, name, filters, created_at: createdAt }: ViewRow): SavedView => ({
  id,
  name,
  filters,
  createdAt,
});

/** The oldest first: new ones are added behind. */
export async function listViews(db: Db, { accountId, personId, list }: ViewsOf): Promise<readonly SavedView[]> {
  const { rows } = await db.query<ViewRow>(
    `select id, name, filters, created_at from portal_views
      where account_id = $1 and person_id = $2 and list = $3 order by id`,
    [accountId, personId, list],
  );
  return rows.map(viewFrom);
}

/**
 * One of the same name is replaced in its place. Undefined: the person has as many as there may be. The membership is locked, so that
 * two at once don't count past each other; without one there is nothing to keep views for.
 */
export const saveView = (
  db: Database,
  { accountId, personId, list }: ViewsOf,
  { id, name, filters, createdAt }: SavedView,
  most: number,
): Promise<SavedView | undefined> =>
  db.transaction(async (tx) => {
    await tx.query("select from account_members where account_id = $1 and person_id = $2 for update", [
      accountId,
      personId,
    ]);
    const { rows } = await tx.query<ViewRow>(
      `insert into portal_views (account_id, person_id, list, id, name, filters, created_at)
       select m.account_id, m.person_id, $3, $4::uuid, $5, $6::jsonb, $7::timestamptz from account_members m
        where m.account_id = $1 and m.person_id = $2
          and (select count(*) from portal_views
                where account_id = $1 and person_id = $2 and list = $3 and name <> $5) < $8
       on conflict (account_id, person_id, list, name) do update set filters = excluded.filters
       returning id, name, filters, created_at`,
      [accountId, personId, list, id, name, JSON.stringify(filters), createdAt, most],
    );
    return rows[0] && viewFrom(rows[0]);
  });

/** Whether it was there. */
export async function removeView(db: Db, { accountId, personId }: Omit<ViewsOf, "list">, id: Uuid): Promise<boolean> {
  const { rowCount } = await db.query("delete from portal_views where account_id = $1 and person_id = $2 and id = $3", [
    accountId,
    personId,
    id,
  ]);
  return rowCount === 1;
}
