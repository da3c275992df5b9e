import type { Database } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { InboundMessage } from "../providers/provider.ts";

const RECORD = {
  name: "record_inbound",
  text: `with owner as (select account_id from inbound_numbers where number = $6 and mode = $4),
         kept as (
           insert into inbound_messages (id, provider, provider_reference, mode, account_id, sender, recipient, body, facts, received_at)
           values ($1, $2, $3, $4, (select account_id from owner), $5, $6, $7, $8, $9)
           on conflict (provider, provider_reference) do nothing returning account_id)
         insert into events (account_id, order_id, version, mode, id, type, sequence, status, at, detail)
         select account_id, $1, 1, $4, uuidv7_now(), 'sms.received', 1, 'received', $9, null from kept where account_id is not null`,
};

/**
 * Records what a handset wrote, with its event, once: a vendor's repeat changes nothing. A number that no account has is kept
 * without an owner, for the operator.
 */
export async function recordInbound(
  db: Database,
  provider: string,
  mode: Mode,
  id: Uuid,
  message: InboundMessage,
): Promise<void> {
  await db.transact(RECORD, [
    id,
    provider,
    message.providerReference,
    mode,
    message.from,
    message.to,
    message.text,
    message.facts ? JSON.stringify(message.facts) : null,
    message.at,
  ]);
}
