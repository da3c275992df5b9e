import type { Db } from "../db/database.ts";
import { encodeId, newUuid } from "../kernel/ids.ts";
import type { EventReaders } from "../ports/event-object.ts";
import type { Claimed } from "./delivery.ts";
import type { DisabledReason } from "./endpoint.ts";

/** The account hears of a disabled endpoint by its feed, and by its other endpoints. */
const TYPE = "webhook.disabled";

/**
 * Disables an endpoint and publishes that, in the caller's transaction. False: it was not delivered to any more, or its lease is lost,
 * and what an earlier address answered says nothing about the present one.
 */
export async function disableEndpoint(
  tx: Db,
  { id, epoch, accountId, mode, url }: Pick<Claimed, "id" | "epoch" | "accountId" | "mode" | "url">,
  reason: DisabledReason,
  at: Date,
): Promise<boolean> {
  const { rows } = await tx.query<{ event_sequence: number; status: string }>(
    `update webhook_endpoints e
        set status = 'disabled', disabled_reason = $2, updated_at = $3, event_sequence = e.event_sequence + 1
       from (select id, status from webhook_endpoints where id = $1 for update) before
      where e.id = before.id and before.status in ('active', 'unverified') and e.lease_epoch = $4
     returning e.event_sequence, before.status`,
    [id, reason, at, epoch],
  );
  const disabled = rows[0];
  if (!disabled) return false;
  await tx.query(
    `insert into events (account_id, order_id, version, mode, id, type, sequence, status, previous_status, at, detail)
     values ($1, $2, $3, $4, $5, '${TYPE}', $3, 'disabled', $6, $7, $8)`,
    [accountId, id, disabled.event_sequence, mode, newUuid(), disabled.status, at, JSON.stringify({ url, reason })],
  );
  return true;
}

/** The endpoint in its event: as it was then. */
const EVENT_READERS: EventReaders = {
  [TYPE]: async (events) =>
    new Map(
      events.map(({ id, subjectId, mode, detail }) => [
        id,
        {
          id: encodeId("whe", subjectId),
          object: "webhook",
          mode,
          url: detail?.url,
          status: "disabled",
          disabled_reason: detail?.reason,
        },
      ]),
    ),
};

/** Events about endpoints, which the feed has beside those of orders. */
export const WEBHOOK_EVENTS = { eventReaders: EVENT_READERS };
