import { type Actor, audit } from "../accounts/audit.repo.ts";
import { callByName } from "../db/call-by-name.ts";
import type { Database, Db } from "../db/database.ts";
import { type ChatAddress, isUserId } from "../kernel/chat-address.ts";
import type { ErasedName } from "../kernel/erased-name.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { storedMsisdn } from "../kernel/msisdn.ts";
import type { Suppression, SuppressionChannel, SuppressionSource } from "./suppressions.ts";

interface SuppressionRow {
  id: Uuid;
  phone: string | null;
  user_id: string | null;
  channel: SuppressionChannel;
  source: SuppressionSource;
  reason: string;
  created_at: Date;
  expires_at: Date | null;
}

const suppressionFrom = (row: SuppressionRow): Suppression => ({
  id: row.id,
  phone: row.phone === null ? null : storedMsisdn(row.phone),
  userId: row.user_id,
  channel: row.channel,
  source: row.source,
  reason: row.reason,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

export interface Recipient {
  readonly accountId: Uuid;
  readonly mode: Mode;
  /** A phone without `+`, or a vendor's id of a user. */
  readonly address: string;
}

/** A message that is to reach a recipient: what was stopped for its channel alone counts too. */
export interface Reaching extends Recipient {
  readonly channel: Exclude<SuppressionChannel, "all">;
}

/** For each recipient, in order, whether it is suppressed, by whichever of the person's addresses: one query for any number of them. */
export async function areSuppressed(
  db: Db,
  recipients: readonly Reaching[],
  now: Date,
  erasedName: ErasedName,
): Promise<readonly boolean[]> {
  const { rows } = await db.query<{ n: bigint; is: boolean; person: string | null }>(
    {
      name: "are_suppressed",
      text: `select r.n, p.person, exists (
                      select from suppressions s
                       where s.account_id = r.account_id and s.mode = r.mode and s.person in (r.address, p.person, r.erased)
                         and s.channel in ('all', r.channel) and (s.expires_at is null or s.expires_at > $5)) as is
               from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $6::text[]) with ordinality r(account_id, mode, address, channel, erased, n)
               left join people p on p.account_id = r.account_id and p.mode = r.mode and p.address = r.address`,
    },
    [
      recipients.map(({ accountId }) => accountId),
      recipients.map(({ mode }) => mode),
      recipients.map(({ address }) => address),
      recipients.map(({ channel }) => channel),
      now,
      recipients.map(({ address }) => erasedName(address)),
    ],
  );
  const found = recipients.map(() => false);
  const others: { readonly index: number; readonly recipient: Reaching }[] = [];
  for (const { n, is, person } of rows) {
    const index = Number(n) - 1;
    const recipient = recipients[index]!;
    found[index] = is;
    // By a phone that was erased before the vendor told whose it is.
    if (!is && person !== null && person !== recipient.address)
      others.push({ index, recipient: { ...recipient, address: person } });
  }
  if (others.length === 0) return found;
  const byPerson = await areSuppressed(
    db,
    others.map(({ recipient }) => ({ ...recipient, address: erasedName(recipient.address) })),
    now,
    erasedName,
  );
  for (const [place, { index }] of others.entries()) found[index] = byPerson[place]!;
  return found;
}

/** The person acts again: what was kept under the erased name belongs to the address again. */
export async function revive(db: Db, { accountId, mode, address }: Recipient, erasedName: ErasedName): Promise<void> {
  const values = [accountId, mode, address, erasedName(address)];
  await db.query(
    `update suppressions s set person = $3, phone = case when s.channel = 'all' and $3 ~ '^[0-9]+$' then $3 end
      where s.account_id = $1 and s.mode = $2 and s.person = $4 and not exists (
        select from suppressions o where o.account_id = $1 and o.mode = $2 and o.person = $3 and o.channel = s.channel and o.source = s.source)`,
    values,
  );
  await db.query(
    "delete from suppressions where account_id = $1 and mode = $2 and person = $4 and $3 <> person",
    values,
  );
}

/** What is shown of a row `s`: the person's present phone, and the newest id that the vendor has told. */
const SHOWN = `s.id, s.channel, s.source, s.reason, s.created_at, s.expires_at,
  case when s.person ~ '^[0-9]+$' then s.person
       else (select p.address from people p where p.account_id = s.account_id and p.mode = s.mode and p.person = s.person
                and p.address ~ '^[0-9]+$' order by p.former limit 1) end as phone,
  coalesce((select p.address from people p where p.account_id = s.account_id and p.mode = s.mode and p.person = s.person
               and p.address !~ '^[0-9]+$' order by p.former, p.told_at desc limit 1),
           case when s.person !~ '^([0-9]+$|erased:)' then s.person end) as user_id`;

export interface SuppressionFilter {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly address: ChatAddress | undefined;
  readonly channel: SuppressionChannel | undefined;
  readonly beforeId: Uuid | undefined;
  readonly limit: number;
}

/** Those that count now, newest first. */
export async function listSuppressions(
  db: Db,
  filter: SuppressionFilter,
  now: Date,
  erasedName: ErasedName,
): Promise<readonly Suppression[]> {
  const { accountId, mode, address, channel, beforeId, limit } = filter;
  const { rows } = await db.query<SuppressionRow>(
    `select ${SHOWN} from suppressions s
      where s.account_id = $1 and s.mode = $2 and ($3::text is null or s.person in ($3, person_of($1, $2, $3), $8))
        and ($4::text is null or s.channel = $4) and ($5::uuid is null or s.id < $5)
        and (s.expires_at is null or s.expires_at > $6)
      order by s.id desc limit $7`,
    [
      accountId,
      mode,
      address ?? null,
      channel ?? null,
      beforeId ?? null,
      now,
      limit,
      address === undefined ? null : erasedName(address),
    ],
  );
  return rows.map(suppressionFrom);
}

/** The account's own word. A repeat changes the reason alone. */
export async function suppress(
  db: Db,
  { accountId, mode, address }: Recipient,
  { channel, reason }: { readonly channel: SuppressionChannel; readonly reason: string },
  at: Date,
): Promise<Suppression> {
  const { rows } = await db.query<SuppressionRow>(
    `with s as (
       insert into suppressions as s (account_id, mode, person, channel, source, id, reason, created_at, phone)
       select $1, $2, p.person, $4, 'account', $5, $6, $7, case when $4 = 'all' and p.person ~ '^[0-9]+$' then p.person end
         from (select person_of($1, $2, $3) as person) p
       on conflict (account_id, mode, person, channel, source) do update set reason = excluded.reason
       returning *)
     select ${SHOWN} from s`,
    [accountId, mode, address, channel, newUuid(), reason, at],
  );
  return suppressionFrom(rows[0]!);
}

/** What a person asked for, and for which channel: see `heed_person` (migration 0030). */
export interface Act {
  readonly act: "stop" | "start" | "resume";
  readonly channel: SuppressionChannel;
  readonly reason: "stop" | "button" | "preference";
}

const HEED_CALL = callByName<Recipient & Act & { readonly at: Date }>("heed_person", {
  p_account: ({ accountId }) => accountId,
  p_mode: ({ mode }) => mode,
  p_address: ({ address }) => address,
  p_act: ({ act }) => act,
  p_channel: ({ channel }) => channel,
  p_reason: ({ reason }) => reason,
  p_at: ({ at }) => at,
});

/** Applies what the recipient asked for, by whatever channel. */
export async function applyOptOutOf(db: Db, recipient: Recipient, act: Act, at: Date): Promise<void> {
  await db.query(`select ${HEED_CALL.text}`, HEED_CALL.values({ ...recipient, ...act, at }));
}

/** The audit log is kept for ever, so it names nobody. */
const shortened = (address: string): string => `…${address.slice(-4)}`;

export interface Unsuppressing extends Recipient {
  readonly actor: Actor;
  /** Whether the recipient's own STOP may be taken back too. */
  readonly mayOverrule: boolean;
}

/** Takes a person off the list, and says so in the audit log. `overruled`: the recipient had said STOP, so nothing was done. */
export function unsuppress(
  db: Database,
  { accountId, mode, address, actor, mayOverrule }: Unsuppressing,
  now: Date,
  erasedName: ErasedName,
): Promise<"done" | "absent" | "overruled"> {
  return db.transaction(async (tx) => {
    await revive(tx, { accountId, mode, address }, erasedName);
    const { rows } = await tx.query<{ source: SuppressionSource; counts: boolean }>(
      `select source, expires_at is null or expires_at > $4 as counts from suppressions
        where account_id = $1 and mode = $2 and person in ($3, person_of($1, $2, $3)) for update`,
      [accountId, mode, address, now],
    );
    const sources = rows.filter(({ counts }) => counts).map(({ source }) => source);
    if (sources.length === 0) return "absent";
    if (sources.includes("recipient") && !mayOverrule) return "overruled";
    await tx.query(
      "delete from suppressions where account_id = $1 and mode = $2 and person in ($3, person_of($1, $2, $3))",
      [accountId, mode, address],
    );
    // The recipient's STOP is over, when it comes again as well.
    if (sources.includes("recipient"))
      await tx.query(
        `select note_opt_in(p_account => $1, p_mode => $2, p_person => person_of($1, $2, $3),
                            p_channels => array['all', 'sms', 'chat'], p_at => $4)`,
        [accountId, mode, address, now],
      );
    await audit(tx, {
      actor,
      action: "suppression.remove",
      subject: encodeId("acc", accountId),
      details: { mode, [isUserId(address) ? "user_id" : "phone"]: shortened(address), sources: [...new Set(sources)] },
    });
    return "done";
  });
}
