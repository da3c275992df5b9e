import type { Database, Db } from "../db/database.ts";
import { addressKey } from "../kernel/address.ts";
import type { ErasedName } from "../kernel/erased-name.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { parseMsisdn } from "../kernel/msisdn.ts";
import type { Facts, InboundMessage } from "../ports/provider.ts";
import { optWord } from "./opt-words.ts";
import { revive } from "./suppressions.repo.ts";

const RECORD = {
  name: "record_inbound",
  text: `with owner as (select account_id from inbound_numbers where number = $6 and mode = $4),
         kept as (
           insert into inbound_messages (id, provider, provider_reference, mode, account_id, sender, recipient, body, facts, received_at, understood_as)
           values ($1, $2, $3, $4, (select account_id from owner), $5, $6, $7, $8, $9, $10)
           on conflict (provider, provider_reference) do nothing returning id, account_id),
         told as (
           insert into events (account_id, order_id, version, mode, id, type, sequence, status, at, detail)
           select account_id, $1, 1, $4, uuidv7_now(), 'sms.received', 1, 'received', $9, null from kept where account_id is not null)
         select k.account_id, k.id is null as is_repeat,
                case when o.account_id is not null and ($10::text = 'stop' or ($10 = 'start' and k.id is not null))
                     then heed_person(p_account => o.account_id, p_mode => $4, p_address => $11, p_act => $10,
                            p_channel => case when $10 = 'stop' then 'all' else 'sms' end, p_reason => 'stop', p_at => $9)::text end
           from (values (1)) one left join owner o on true left join kept k on true`,
};

/**
 * Records what a handset wrote, with its event, once: a vendor's repeat is no second message. A number that no account has is kept
 * without an owner, for the operator. A recipient's STOP or START counts from the same moment. A repeat may be the same word said again,
 * after something else: STOP is heeded once more, START is not. Networks write one number in several forms: whose it is is decided, and
 * it is kept, in its one form. Returns the owner, null when nobody has the number, and undefined for a repeat.
 */
export async function recordInbound(
  db: Database,
  provider: string,
  mode: Mode,
  id: Uuid,
  message: InboundMessage,
  erasedName: ErasedName,
): Promise<Uuid | null | undefined> {
  // Nobody can send to what is no mobile number, so its wishes need no row.
  const sender = addressKey(message.from);
  const from = parseMsisdn(sender, mode);
  const word = from.ok ? optWord(message.text) : undefined;
  if (from.ok && word === "start") await reviveAt(db, mode, addressKey(message.to), from.value, erasedName);
  const [kept] = await db.transact<{ account_id: Uuid | null; is_repeat: boolean }>(RECORD, [
    id,
    provider,
    message.providerReference,
    mode,
    sender,
    addressKey(message.to),
    message.text,
    message.facts ? JSON.stringify(message.facts) : null,
    message.at,
    word ?? null,
    from.ok ? from.value : null,
  ]);
  return kept?.is_repeat === false ? kept.account_id : undefined;
}

/** START undoes an earlier STOP that was kept under an erased name, too. */
async function reviveAt(db: Database, mode: Mode, number: string, address: string, erasedName: ErasedName) {
  const { rows } = await db.query<{ account_id: Uuid }>(
    "select account_id from inbound_numbers where number = $1 and mode = $2",
    [number, mode],
  );
  const [owner] = rows;
  if (owner) await db.transaction((tx) => revive(tx, { accountId: owner.account_id, mode, address }, erasedName));
}

/** What a person wrote to one of the account's numbers. */
export interface ReceivedSms {
  readonly id: Uuid;
  readonly mode: Mode;
  readonly sender: string;
  readonly recipient: string;
  readonly body: string;
  readonly understoodAs: "stop" | "start" | null;
  /** Of a part that was recorded alone, as its others did not come in time: its place, from 1, and how many there are. */
  readonly part: { readonly index: number; readonly count: number; readonly reference: number } | null;
  readonly receivedAt: Date;
}

interface ReceivedRow {
  id: Uuid;
  mode: Mode;
  sender: string;
  recipient: string;
  body: string;
  understood_as: "stop" | "start" | null;
  facts: Facts | null;
  received_at: Date;
}

const partOf = ({ part, parts, reference }: Facts): ReceivedSms["part"] =>
  typeof part === "number" && typeof parts === "number" && typeof reference === "number"
    ? { index: part, count: parts, reference }
    : null;

const receivedFrom = (row: ReceivedRow): ReceivedSms => ({
  id: row.id,
  mode: row.mode,
  sender: row.sender,
  recipient: row.recipient,
  body: row.body,
  understoodAs: row.understood_as,
  part: partOf(row.facts ?? {}),
  receivedAt: row.received_at,
});

export interface ReceivedFilter {
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** In the one form of `addressKey`. */
  readonly sender?: string;
  /** The same. */
  readonly recipient?: string;
  readonly receivedFrom?: Date;
  readonly receivedBefore?: Date;
  /** The last one of the page before. */
  readonly afterId?: Uuid;
  readonly limit: number;
}

/** What was written to the account's numbers while they were its own; the newest first. */
export async function listReceived(db: Db, filter: ReceivedFilter): Promise<readonly ReceivedSms[]> {
  const values: unknown[] = [];
  const is = (condition: string, value: unknown) => {
    if (value === undefined) return "";
    values.push(value);
    return ` and ${condition.replace("?", `$${values.length}`)}`;
  };
  const where = [
    is("account_id = ?", filter.accountId),
    is("mode = ?", filter.mode),
    is("sender = ?", filter.sender),
    is("recipient = ?", filter.recipient),
    is("received_at >= ?", filter.receivedFrom),
    is("received_at < ?", filter.receivedBefore),
    is("(received_at, id) < (select l.received_at, l.id from inbound_messages l where l.id = ?)", filter.afterId),
  ].join("");
  const { rows } = await db.query<ReceivedRow>(
    `select id, mode, sender, recipient, body, understood_as, facts, received_at
       from inbound_messages where true${where} order by received_at desc, id desc limit ${filter.limit}`,
    values,
  );
  return rows.map(receivedFrom);
}

/** Messages that were written to the account, by id. */
export async function findReceived(
  db: Db,
  accountId: Uuid,
  ids: readonly Uuid[],
): Promise<ReadonlyMap<Uuid, ReceivedSms>> {
  const { rows } = await db.query<ReceivedRow>(
    {
      name: "find_received_sms",
      text: `select id, mode, sender, recipient, body, understood_as, facts, received_at
               from inbound_messages where id = any($2::uuid[]) and account_id = $1`,
    },
    [accountId, ids],
  );
  return new Map(rows.map((row) => [row.id, receivedFrom(row)]));
}

/** Whether the id is one of a message that was written to the account. */
export async function isReceived(db: Db, owner: Pick<ReceivedSms, "id" | "mode">, accountId: Uuid): Promise<boolean> {
  const { rowCount } = await db.query(
    { name: "is_received_sms", text: "select from inbound_messages where id = $1 and account_id = $2 and mode = $3" },
    [owner.id, accountId, owner.mode],
  );
  return rowCount === 1;
}

/** A number that nobody has, and how many messages were written to it since. */
export interface UnownedNumber {
  readonly number: string;
  readonly mode: Mode;
  readonly messages: number;
  readonly lastAt: Date;
}

/** Numbers that handsets wrote to since then and that still nobody has, the latest first. */
export async function listUnownedNumbers(db: Db, since: Date): Promise<readonly UnownedNumber[]> {
  const { rows } = await db.query<{ number: string; mode: Mode; messages: number; last_at: Date }>(
    `select address_key(m.recipient) as number, m.mode, count(*)::int as messages, max(m.received_at) as last_at
       from inbound_messages m
      where m.account_id is null and m.received_at > $1
        and not exists (select 1 from inbound_numbers n where n.number = address_key(m.recipient) and n.mode = m.mode)
      group by 1, 2 order by 4 desc limit ${UNOWNED_MAX}`,
    [since],
  );
  return rows.map(({ last_at: lastAt, ...row }) => ({ ...row, lastAt }));
}
const UNOWNED_MAX = 100;
