import type { Database, Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Claimed } from "./delivery.ts";
import { WAITING_MAX } from "./endpoint.ts";
import { type EndpointRow, endpointFrom } from "./endpoints.repo.ts";
import { keysOf } from "./keys.repo.ts";
import type { WebhookSeal } from "./sealed.ts";
import { LEASE_SECONDS } from "./session.ts";

export interface ClaimedRow extends EndpointRow {
  lease_epoch: number;
  position: bigint;
  done: bigint[];
  failures: number;
  failing_since: Date | null;
  rests: number;
  rest_until: Date | null;
}

/**
 * Endpoints with something to do: a message that is due, something new in the feed, or a holder that died. Those whose latest attempts
 * failed are claimed apart. Skips rows that another node is claiming. Where nothing is due ever, nothing waits, whatever was counted:
 * rows may have left with the feed.
 */
const CLAIM = {
  name: "claim_webhooks",
  text: `with free as (
           select e.id from webhook_endpoints e
            where (e.failures > 0) = $3 and (e.rest_until is null or e.rest_until <= $2)
              and case when e.leased_until is not null then e.leased_until < clock_timestamp()
                       else e.next_at <= $2
                         or e.status = 'active' and (e.waiting < ${WAITING_MAX} or e.next_at is null)
                            and exists (select 1 from feed f where f.account_id = e.account_id and f.mode = e.mode and f.position > e.position) end
            order by e.claimed_at nulls first limit $4 for update skip locked)
         update webhook_endpoints e
            set leased_by = $1, lease_epoch = e.lease_epoch + 1, claimed_at = clock_timestamp(), next_at = null,
                leased_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
           from free where e.id = free.id
         returning e.*`,
};

export interface Claim {
  readonly node: Uuid;
  readonly now: Date;
  /** Whether those are wanted whose latest attempts failed, or the others. */
  readonly failing: boolean;
  readonly limit: number;
}

export async function claimEndpoints(
  db: Database,
  seal: WebhookSeal,
  { node, now, failing, limit }: Claim,
): Promise<readonly Claimed[]> {
  const { rows } = await db.query<ClaimedRow>(CLAIM, [node, now, failing, limit]);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [keys, waiting] = await Promise.all([keysOf(db, seal, ids, now), waitingOf(db, ids)]);
  return rows.map((row) => ({
    ...endpointFrom(row),
    epoch: row.lease_epoch,
    position: row.position,
    done: row.done,
    health: {
      failures: row.failures,
      failingSince: row.failing_since,
      rests: row.rests,
      restUntil: row.rest_until,
    },
    keys: keys.get(row.id) ?? [],
    waiting: waiting.get(row.id) ?? new Map(),
  }));
}

/** By endpoint and subject: events that wait for another attempt. */
async function waitingOf(db: Db, ids: readonly Uuid[]): Promise<ReadonlyMap<Uuid, ReadonlyMap<Uuid, number>>> {
  const { rows } = await db.query<{ endpoint_id: Uuid; subject_id: Uuid; count: number }>(
    {
      name: "webhooks_waiting",
      text: `select endpoint_id, subject_id, count(*)::int as count from webhook_deliveries
              where endpoint_id = any($1::uuid[]) and due_at is not null and body is null group by 1, 2`,
    },
    [ids],
  );
  const byEndpoint = Map.groupBy(rows, ({ endpoint_id }) => endpoint_id);
  return new Map([...byEndpoint].map(([id, same]) => [id, new Map(same.map((row) => [row.subject_id, row.count]))]));
}

/** Of endpoints that this node delivers to: those that were changed or deleted since they were claimed. */
export async function changedEndpoints(db: Db, held: readonly Claimed[]): Promise<ReadonlySet<Uuid>> {
  const { rows } = await db.query<{ id: Uuid }>(
    {
      name: "webhooks_changed",
      text: `select h.id from unnest($1::uuid[], $2::timestamptz[]) as h(id, updated_at) left join webhook_endpoints e using (id)
              where e.updated_at is distinct from h.updated_at`,
    },
    [held.map(({ id }) => id), held.map(({ updatedAt }) => updatedAt)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Takes back what dead nodes held, before their leases run out. */
export async function takeBackWebhooks(db: Db, dead: readonly Uuid[]): Promise<void> {
  await db.query("update webhook_endpoints set leased_until = '-infinity' where leased_by = any($1::uuid[])", [dead]);
}
