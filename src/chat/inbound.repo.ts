import type { Db } from "../db/database.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { InboundChat } from "../ports/chat-payload.ts";
import type { InboundMessage } from "../ports/provider.ts";
import { opensWindow } from "./window.ts";

/** What a person wrote to one of the numbers. */
export interface ReceivedChat {
  readonly id: Uuid;
  readonly mode: Mode;
  readonly provider: string;
  readonly providerReference: string;
  readonly sender: string;
  readonly number: string;
  readonly body: string;
  readonly facts: InboundChat;
  /** By the vendor's clock. */
  readonly writtenAt: Date;
  readonly receivedAt: Date;
  readonly media: ReceivedMedia | null;
}

export interface ReceivedMedia {
  readonly state: "pending" | "kept" | "unavailable" | "forgotten";
  readonly mimeType: string | null;
  readonly size: number | null;
  readonly sha256: Buffer | null;
}

const RECORD = {
  name: "record_chat_inbound",
  text: `with owner as (select account_id from chat_numbers where number = $6 and mode = $4 and provider = $2),
         kept as (
           insert into chat_inbound (id, provider, provider_reference, mode, account_id, sender, number, body, facts, written_at, received_at)
           values ($1, $2, $3, $4, (select account_id from owner), $5, $6, $7, $8, $9, $10)
           on conflict (provider, provider_reference) do nothing returning id, account_id),
         files as (
           insert into chat_inbound_media (message_id, provider, vendor_id, mime_type, due_at)
           select id, $2, $11, $12, $10 from kept where $11::text is not null),
         told as (
           insert into events (account_id, order_id, version, mode, id, type, sequence, status, at, detail)
           select account_id, id, 1, $4, uuidv7_now(), 'chat.received', 1, 'received', $10, null from kept where account_id is not null)
         select o.account_id, k.id is null as is_repeat,
                case when k.account_id is not null and cardinality($14::text[]) + cardinality($15::text[]) > 1
                     then join_people(p_account => k.account_id, p_mode => $4, p_now => $14, p_formerly => $15) end,
                case when $13::boolean and k.id is not null
                     then open_chat_windows(p_account => k.account_id, p_mode => $4, p_number => $6, p_addresses => $14, p_at => $9) end
           from (values (1)) one left join owner o on true left join kept k on true`,
};

export interface Recorded {
  /** Null: nobody has the number. */
  readonly accountId: Uuid | null;
  /** The vendor had told it before: nothing was changed. */
  readonly isRepeat: boolean;
}

/**
 * Records what a person wrote, with its event, its file to be fetched, the window that it opens and whom the vendor says that it is, in
 * one statement and once.
 */
export async function recordChatInbound(
  db: Db,
  provider: string,
  mode: Mode,
  id: Uuid,
  message: Omit<InboundMessage, "facts"> & { readonly facts: InboundChat },
  receivedAt: Date,
): Promise<Recorded> {
  const { facts } = message;
  // A vendor's clock that runs ahead must not lengthen a window.
  const writtenAt = message.at < receivedAt ? message.at : receivedAt;
  const { rows } = await db.query<{ account_id: Uuid | null; is_repeat: boolean }>(RECORD, [
    id,
    provider,
    message.providerReference,
    mode,
    message.from,
    message.to,
    message.text,
    JSON.stringify(facts),
    writtenAt,
    receivedAt,
    facts.media?.id ?? null,
    facts.media?.mime_type ?? null,
    opensWindow(facts),
    facts.known_as ?? [message.from],
    facts.formerly ?? [],
  ]);
  const row = rows[0]!;
  return { accountId: row.account_id, isRepeat: row.is_repeat };
}

interface InboundRow {
  id: Uuid;
  mode: Mode;
  provider: string;
  provider_reference: string;
  sender: string;
  number: string;
  body: string;
  facts: InboundChat;
  written_at: Date;
  received_at: Date;
  media_state: ReceivedMedia["state"] | null;
  media_type: string | null;
  media_size: number | null;
  media_sha256: Buffer | null;
}

const receivedFrom = (row: InboundRow): ReceivedChat => ({
  id: row.id,
  mode: row.mode,
  provider: row.provider,
  providerReference: row.provider_reference,
  sender: row.sender,
  number: row.number,
  body: row.body,
  facts: row.facts,
  writtenAt: row.written_at,
  receivedAt: row.received_at,
  media:
    row.media_state === null
      ? null
      : { state: row.media_state, mimeType: row.media_type, size: row.media_size, sha256: row.media_sha256 },
});

const SELECT = `select i.id, i.mode, i.provider, i.provider_reference, i.sender, i.number, i.body, i.facts, i.written_at, i.received_at,
                       m.state as media_state, m.mime_type as media_type, m.size as media_size, m.sha256 as media_sha256
                  from chat_inbound i left join chat_inbound_media m on m.message_id = i.id`;

export interface InboundFilter {
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** One of the person's: what came by any of the others is theirs as well. */
  readonly address?: string;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly beforeId?: Uuid;
  readonly limit: number;
}

/** Newest first. */
export async function listInbound(db: Db, filter: InboundFilter): Promise<readonly ReceivedChat[]> {
  const { accountId, mode, address, createdAfter, createdBefore, beforeId, limit } = filter;
  const { rows } = await db.query<InboundRow>(
    `${SELECT} where i.account_id = $1 and i.mode = $2 and ($3::text is null or i.sender = $3 or i.facts ->> 'user_id' = $3 or i.sender in (
          select o.address from people p join people o on o.account_id = p.account_id and o.mode = p.mode and o.person = p.person
           where p.account_id = $1 and p.mode = $2 and p.address = $3))
        and ($4::timestamptz is null or i.id >= uuidv7_floor($4)) and ($5::timestamptz is null or i.id < uuidv7_floor($5))
        and ($6::uuid is null or i.id < $6)
      order by i.id desc limit $7`,
    [accountId, mode, address ?? null, createdAfter ?? null, createdBefore ?? null, beforeId ?? null, limit],
  );
  return rows.map(receivedFrom);
}

/** What was written to the account, by id. */
export async function findAllInbound(
  db: Db,
  accountId: Uuid,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, ReceivedChat>> {
  const { rows } = await db.query<InboundRow>(
    { name: "find_all_chat_inbound", text: `${SELECT} where i.id = any($2::uuid[]) and i.account_id = $1` },
    [accountId, ids],
  );
  return new Map(rows.map((row) => [row.id, receivedFrom(row)]));
}

export interface InboundKey {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly id: Uuid;
}

export async function findInbound(db: Db, { accountId, mode, id }: InboundKey): Promise<ReceivedChat | undefined> {
  const { rows } = await db.query<InboundRow>(
    { name: "find_chat_inbound", text: `${SELECT} where i.id = $1 and i.account_id = $2 and i.mode = $3` },
    [id, accountId, mode],
  );
  return rows[0] && receivedFrom(rows[0]);
}

/**
 * Whether the message that the vendor calls so is a marketing template of ours, or may have gone as one. Undefined: it is not known, as
 * names of messages are forgotten after a while.
 */
export async function isMarketing(db: Db, provider: string, reference: string): Promise<boolean | undefined> {
  const { rows } = await db.query<{ is: boolean | null }>(
    {
      name: "chat_is_marketing",
      text: `select case when 'marketing' in (o.payload ->> 'category', o.payload #>> '{fallback,category}') then true
                         when coalesce(o.payload ->> 'category', o.payload #>> '{fallback,category}') is not null then false end as is
               from provider_references r join orders o on o.account_id = r.account_id and o.id = r.order_id
              where r.route = $1 and r.reference = $2`,
    },
    [provider, reference],
  );
  return rows[0]?.is ?? undefined;
}

/** The account's messages by the vendor's names for them, sent or received: what replies and reactions are about. */
export async function findByVendorIds(
  db: Db,
  accountId: Uuid,
  names: readonly { readonly provider: string; readonly reference: string }[],
): Promise<ReadonlyMap<string, Uuid>> {
  if (names.length === 0) return new Map();
  const { rows } = await db.query<{ reference: string; id: Uuid }>(
    {
      name: "chat_by_vendor_ids",
      text: `select n.reference, coalesce(r.order_id, i.id) as id from unnest($2::text[], $3::text[]) n(provider, reference)
               left join provider_references r on r.route = n.provider and r.reference = n.reference and r.account_id = $1
               left join chat_inbound i on i.provider = n.provider and i.provider_reference = n.reference and i.account_id = $1
              where coalesce(r.order_id, i.id) is not null`,
    },
    [accountId, names.map(({ provider }) => provider), names.map(({ reference }) => reference)],
  );
  return new Map(rows.map(({ reference, id }) => [reference, id]));
}
