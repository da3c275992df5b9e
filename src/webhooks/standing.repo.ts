import type { Db } from "../db/database.ts";
import type { Mode } from "../kernel/mode.ts";

/** Endpoints that are looked at for one reading. */
const LOOKED_AT_MAX = 10_000;
/** Endpoints of one mode and status. */
export interface Standing {
  readonly mode: Mode;
  /** As the API shows it; `failing`: active, and its latest attempts failed. */
  readonly status: string;
  readonly endpoints: number;
  /** Messages that wait for another attempt. */
  readonly waiting: number;
  /** Of the oldest event in the feed that has not been delivered or stored as failed. Null: there is none. */
  readonly oldest: bigint | null;
}

export async function readStanding(db: Db): Promise<readonly Standing[]> {
  const { rows } = await db.query<Standing>({
    name: "webhooks_standing",
    text: `select e.mode, case when e.status = 'active' and e.failures > 0 then 'failing' else e.status end as status,
                  count(*)::int as endpoints, sum(e.waiting)::int as waiting, min(f.position) as oldest
             from (select * from webhook_endpoints limit ${LOOKED_AT_MAX}) e
             left join lateral (
               select f.position from feed f
                where e.status = 'active' and f.account_id = e.account_id and f.mode = e.mode and f.position > e.position
                order by f.position limit 1) f on true
            group by 1, 2`,
  });
  return rows;
}
