import type { Database, Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import { type PriceView, pricedAt } from "../kernel/money.ts";

/** Messages to customers that follow a purchase. The row is written with the purchase's success (`change_orders`). */

export interface PendingNotice {
  readonly accountId: Uuid;
  readonly orderId: Uuid;
  /** Chosen with the success, so that however often it is tried there is one message. */
  readonly messageId: Uuid;
}

interface PendingRow {
  account_id: Uuid;
  order_id: Uuid;
  message_id: Uuid;
}

const pendingOf = (row: PendingRow): PendingNotice => ({
  accountId: row.account_id,
  orderId: row.order_id,
  messageId: row.message_id,
});

/** Those that were left over: the node that records a success makes the message at once, unless it ends in between. */
export async function findPendingNotices(db: Db, max: number): Promise<readonly PendingNotice[]> {
  const { rows } = await db.query<PendingRow>(
    {
      name: "pending_notices",
      text: `select account_id, order_id, message_id from notices
              where state = 'pending' and created_at < now() - interval '2 seconds' order by created_at limit $1`,
    },
    [max],
  );
  return rows.map(pendingOf);
}

/** The notice of a purchase, if it is still to be made. */
export async function findNotice(db: Db, accountId: Uuid, orderId: Uuid): Promise<PendingNotice | undefined> {
  const { rows } = await db.query<PendingRow>(
    {
      name: "find_notice",
      text: `select account_id, order_id, message_id from notices
              where account_id = $1 and order_id = $2 and state = 'pending'`,
    },
    [accountId, orderId],
  );
  return rows[0] && pendingOf(rows[0]);
}

/** `refusal`: why there is no message. */
export async function settleNotice(
  db: Database,
  { accountId, orderId }: PendingNotice,
  refusal: { readonly code: string; readonly detail: string } | undefined,
): Promise<void> {
  await db.query(
    "update notices set state = $3, refusal = $4 where account_id = $1 and order_id = $2 and state = 'pending'",
    [accountId, orderId, refusal ? "refused" : "made", refusal ? JSON.stringify(refusal) : null],
  );
}

/** A notice as subscribers see it. */
export interface Notice {
  readonly channel: string;
  /** The message's own state; `pending` until there is one, `refused` when there can't be. */
  readonly status: string;
  readonly message_id?: string;
  readonly price?: PriceView;
  readonly failure?: { readonly code: string; readonly detail: string };
}

/** The notices of these purchases of one account, by purchase. */
export async function readNotices(
  db: Db,
  accountId: Uuid,
  orderIds: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, Notice>> {
  if (orderIds.length === 0) return new Map();
  const { rows } = await db.query<{
    order_id: Uuid;
    message_id: Uuid;
    state: "pending" | "made" | "refused";
    refusal: { code: string; detail: string } | null;
    channel: string | null;
    message_state: string | null;
    price_kobo: Kobo | null;
    tax_kobo: Kobo | null;
  }>(
    {
      name: "read_notices",
      text: `select n.order_id, n.message_id, n.state, n.refusal, p.payload->'notify'->>'channel' as channel,
                    m.state as message_state, m.price_kobo, m.tax_kobo
               from notices n
               join orders p on p.account_id = n.account_id and p.id = n.order_id
               left join orders m on m.account_id = n.account_id and m.id = n.message_id
              where n.account_id = $1 and n.order_id = any($2::uuid[])`,
    },
    [accountId, orderIds],
  );
  return new Map(
    rows.map((row) => [
      row.order_id,
      {
        channel: row.channel ?? "sms",
        status: row.message_state ?? row.state,
        ...(row.message_state !== null && { message_id: encodeId("msg", row.message_id) }),
        ...(row.price_kobo !== null && row.tax_kobo !== null && { price: pricedAt(row.price_kobo, row.tax_kobo) }),
        ...(row.refusal && { failure: row.refusal }),
      },
    ]),
  );
}
