import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { listOrders } from "../orders/listing.repo.ts";
import type { Order } from "../orders/order.ts";
import { statesOf, statusesOf } from "../orders/order-views.ts";
import { CHAT } from "./chat.definition.ts";
import { findByVendorIds, listInbound, type ReceivedChat } from "./inbound.repo.ts";

export interface ConversationFilter {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly limit: number;
  readonly direction?: "outbound" | "inbound";
  readonly status?: string;
  readonly reference?: string;
  /** The other party's. */
  readonly address?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly beforeId?: Uuid;
}

export type Entry = { readonly id: Uuid } & ({ readonly sent: Order } | { readonly received: ReceivedChat });

export interface Conversation {
  readonly rows: readonly Entry[];
  /** Our ids of the messages that replies and reactions are about, by the vendor's. */
  readonly ids: ReadonlyMap<string, Uuid>;
}

/** What was written in both directions, newest first: ids carry the time, so the two lists are merged by them. */
export async function listConversation(db: Db, filter: ConversationFilter): Promise<Conversation> {
  const { direction, status, reference, address, limit, ...common } = filter;
  // What a person writes has neither.
  const hasInbound = direction !== "outbound" && status === undefined && reference === undefined;
  const [sent, received] = await Promise.all([
    direction === "inbound"
      ? []
      : listOrders(db, {
          ...common,
          among: [statesOf(CHAT.service, { statuses: statusesOf(CHAT.table) }, status)],
          limit,
          ...(reference !== undefined && { reference }),
          ...(address !== undefined && { recipient: address }),
        }),
    hasInbound ? listInbound(db, { ...common, limit, ...(address !== undefined && { address }) }) : [],
  ]);
  const entries: Entry[] = [
    ...sent.map((order) => ({ id: order.id, sent: order })),
    ...received.map((message) => ({ id: message.id, received: message })),
  ];
  entries.sort((a, b) => (a.id < b.id ? 1 : -1));
  const rows = entries.slice(0, limit);
  const inbound = rows.flatMap((entry) => ("received" in entry ? [entry.received] : []));
  return { rows, ids: await idsIn(db, filter.accountId, inbound) };
}

const vendorIdsIn = ({ facts }: ReceivedChat) => [
  facts.in_reply_to,
  facts.reaction?.message_id,
  facts.edits,
  facts.revokes,
];

/** Our ids of the messages that these replies and reactions are about, by the vendor's. */
export const idsIn = (db: Db, accountId: Uuid, received: readonly ReceivedChat[]): Promise<ReadonlyMap<string, Uuid>> =>
  findByVendorIds(
    db,
    accountId,
    received.flatMap((message) =>
      vendorIdsIn(message).flatMap((reference) =>
        reference === undefined ? [] : [{ provider: message.provider, reference }],
      ),
    ),
  );
