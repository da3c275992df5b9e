import { type Actor, audit } from "../accounts/audit.repo.ts";
import { announceChange } from "../accounts/changes.repo.ts";
import type { Database, Db } from "../db/database.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import type { Network } from "../kernel/networks.ts";
import { type Approval, askedAgain, onAllNetworks, type Sender, type SenderClass, senderKey } from "./senders.ts";

/** An account with more would hardly be one sender. All of an account's senders are kept in memory while it sends. */
const SENDERS_MAX = 100;

interface SenderRow {
  account_id: Uuid;
  id: Uuid;
  name: string;
  class: SenderClass;
  evidence: string | null;
  networks: Sender["networks"];
  reasons: Sender["reasons"];
  created_at: Date;
  updated_at: Date;
}

/** A node of the version before leaves the reason of what it approves. */
const reasonsOf = ({ networks, reasons }: SenderRow): Sender["reasons"] =>
  Object.fromEntries(Object.entries(reasons).filter(([network]) => networks[network as Network] === "refused"));

const senderFrom = (row: SenderRow): Sender => ({
  id: row.id,
  name: row.name,
  class: row.class,
  evidence: row.evidence,
  networks: row.networks,
  reasons: reasonsOf(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** All senders of an account, by their keys. */
export async function sendersOf(db: Db, accountId: Uuid, mode: Mode): Promise<ReadonlyMap<string, Sender>> {
  const { rows } = await db.query<SenderRow>(
    { name: "senders_of", text: "select * from senders where account_id = $1 and mode = $2" },
    [accountId, mode],
  );
  return new Map(rows.map((row) => [senderKey(row.name), senderFrom(row)]));
}

/** Newest first. */
export async function listSenders(
  db: Db,
  { accountId, mode, beforeId, limit }: { accountId: Uuid; mode: Mode; beforeId: Uuid | undefined; limit: number },
): Promise<readonly Sender[]> {
  const { rows } = await db.query<SenderRow>(
    `select * from senders where account_id = $1 and mode = $2 and ($3::uuid is null or id < $3)
      order by id desc limit $4`,
    [accountId, mode, beforeId ?? null, limit],
  );
  return rows.map(senderFrom);
}

/** Live senders for the operator, by name; those of one account, or of all. */
export async function listSendersOfAnyAccount(
  db: Db,
  accountId: Uuid | undefined,
): Promise<readonly (Sender & { readonly accountId: Uuid })[]> {
  const { rows } = await db.query<SenderRow>(
    "select * from senders where mode = 'live' and ($1::uuid is null or account_id = $1) order by name_key, id",
    [accountId ?? null],
  );
  return rows.map((row) => ({ ...senderFrom(row), accountId: row.account_id }));
}

export interface SenderRequest {
  readonly accountId: Uuid;
  readonly mode: Mode;
  readonly name: string;
  readonly class: SenderClass;
  readonly evidence: string | undefined;
  readonly actor: Actor;
  readonly at: Date;
}

/** Registers a sender, or asks again for one. Undefined when the account has as many as it may have. */
export async function requestSender(
  db: Database,
  request: SenderRequest,
): Promise<{ readonly sender: Sender; readonly isNew: boolean } | undefined> {
  const { accountId, mode, name, evidence, at } = request;
  return db.transaction(async (tx) => {
    // Requests of an account wait for each other, so that they can be counted.
    await tx.query("select 1 from accounts where id = $1 for no key update", [accountId]);
    const own = await sendersOf(tx, accountId, mode);
    const before = own.get(senderKey(name));
    if (!before && own.size >= SENDERS_MAX) return undefined;
    const first = onAllNetworks(mode === "test" ? "approved" : "pending");
    const networks = before && mode === "live" ? askedAgain(before, request.class) : first;
    const { rows } = await tx.query<SenderRow>(
      `insert into senders (account_id, mode, name_key, id, name, class, evidence, networks, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
       on conflict (account_id, mode, name_key) do update
         set name = excluded.name, class = excluded.class, evidence = coalesce(excluded.evidence, senders.evidence),
             networks = excluded.networks, reasons = '{}', updated_at = excluded.updated_at
       returning *`,
      [
        accountId,
        mode,
        senderKey(name),
        newUuid(),
        name,
        request.class,
        evidence ?? null,
        JSON.stringify(networks),
        at,
      ],
    );
    await audit(tx, {
      actor: request.actor,
      action: "sender.request",
      subject: encodeId("acc", accountId),
      details: { sender: name, mode, class: request.class },
    });
    if (mode === "live") await announceChange(tx); // what was approved for another class is so no more
    return { sender: senderFrom(rows[0]!), isNew: before === undefined };
  });
}

export interface SenderDecision {
  readonly accountId: Uuid;
  readonly name: string;
  readonly networks: readonly Network[];
  readonly approval: Exclude<Approval, "pending">;
  readonly actor: Actor;
  /** Of a refusal it is shown to the account. */
  readonly reason: string | undefined;
  readonly at: Date;
}

/** The operator's word on a live sender. Undefined when the account has not registered it. */
export async function decideSender(db: Database, decision: SenderDecision): Promise<Sender | undefined> {
  const { accountId, name, networks, approval, actor, reason, at } = decision;
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<SenderRow>(
      `update senders set networks = networks || $3, reasons = (reasons - $5::text[]) || $6, updated_at = $4
        where account_id = $1 and mode = 'live' and name_key = $2 returning *`,
      [
        accountId,
        senderKey(name),
        JSON.stringify(Object.fromEntries(networks.map((n) => [n, approval]))),
        at,
        networks,
        JSON.stringify(
          approval === "refused" && reason !== undefined ? Object.fromEntries(networks.map((n) => [n, reason])) : {},
        ),
      ],
    );
    const [row] = rows;
    if (!row) return undefined;
    await audit(tx, {
      actor,
      action: approval === "approved" ? "sender.approve" : "sender.refuse",
      subject: encodeId("acc", accountId),
      details: { sender: row.name, class: row.class, networks: [...networks] },
      ...(reason !== undefined && { reason }),
    });
    await announceChange(tx);
    return senderFrom(row);
  });
}

/** Other accounts that have a live sender of this name approved somewhere. */
export async function accountsApprovedFor(db: Db, name: string, except: Uuid): Promise<readonly Uuid[]> {
  const { rows } = await db.query<{ account_id: Uuid }>(
    `select account_id from senders
      where name_key = $1 and mode = 'live' and account_id <> $2 and jsonb_path_exists(networks, '$.* ? (@ == "approved")')
      order by account_id`,
    [senderKey(name), except],
  );
  return rows.map((row) => row.account_id);
}
