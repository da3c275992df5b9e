import { findAccount } from "../accounts/accounts.repo.ts";
import type { Actor } from "../accounts/audit.repo.ts";
import type { KeyTerms } from "../accounts/key-terms.ts";
import { findKey, listKeys, type StoredKey } from "../accounts/keys.repo.ts";
import { changeKey, createKey, type KeyChanges, type KeyManager, revokeKey, rollKey } from "../accounts/manage-keys.ts";
import type { Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { koboForPeople, koboToNaira } from "../kernel/kobo.ts";
import { refusal } from "../kernel/refusal.ts";
import { type Report, refusedReport, tableText, tableWithNotes } from "./report.ts";

const ONCE = "It is shown this once; keep it where your program's secrets are.";

export async function keyCreate(manager: KeyManager, actor: Actor, terms: KeyTerms): Promise<Report> {
  const created = await createKey(manager, actor, terms);
  if (!created.ok) return refusedReport(created.error);
  const id = encodeId("key", created.value.id);
  return { ok: true, json: { id, key: created.value.key }, text: `${created.value.key}\n\nKey ${id}. ${ONCE}` };
}

export async function keyRoll(manager: KeyManager, actor: Actor, old: Uuid, overlapSeconds: number): Promise<Report> {
  const rolled = await rollKey(manager, actor, old, overlapSeconds);
  if (!rolled.ok) return refusedReport(rolled.error);
  const { id, key, oldKeyUntil } = rolled.value;
  const until = oldKeyUntil.toISOString();
  return {
    ok: true,
    json: { id: encodeId("key", id), key, old_key: encodeId("key", old), old_key_works_until: until },
    text: `${key}\n\nKey ${encodeId("key", id)}. ${ONCE}\n${encodeId("key", old)} works until ${until}.`,
  };
}

export async function keySet(
  manager: Pick<KeyManager, "db" | "clock" | "config">,
  actor: Actor,
  id: Uuid,
  changes: KeyChanges,
): Promise<Report> {
  const changed = await changeKey(manager, actor, id, changes);
  if (!changed.ok) return refusedReport(changed.error);
  const { cidrs, spendCapKobo } = changed.value;
  const from = cidrs?.join(" ") ?? "any address";
  const spends = spendCapKobo === null ? "as much as the wallet has" : `${koboForPeople(spendCapKobo)} a day`;
  return {
    ok: true,
    json: {
      id: encodeId("key", id),
      cidrs,
      spend_cap: spendCapKobo === null ? null : koboToNaira(spendCapKobo),
    },
    text: `${encodeId("key", id)} may be used from ${from} and spend ${spends}; every node knows within 5 s.`,
  };
}

export async function keyRevoke(
  manager: Pick<KeyManager, "db" | "clock">,
  actor: Actor,
  id: Uuid,
  reason?: string,
): Promise<Report> {
  const revoked = await revokeKey(manager, actor, id, reason);
  if (!revoked.ok) return refusedReport(revoked.error);
  const at = revoked.value.revokedAt.toISOString();
  return {
    ok: true,
    json: { id: encodeId("key", id), revoked_at: at },
    text: `${encodeId("key", id)} is revoked (${at}): every node refuses it within 5 s.`,
  };
}

/** One key: whose it is, and what it may do. */
export async function keyShow(db: Db, id: Uuid, now: Date): Promise<Report> {
  const key = await findKey(db, id);
  if (!key) return refusedReport(refusal("not_found", `There is no key ${encodeId("key", id)}.`));
  const account = await findAccount(db, key.accountId);
  const accountId = encodeId("acc", key.accountId);
  const rows = [
    ["KEY", endsOf(key)],
    ["ACCOUNT", `${accountId} (${account?.name ?? ""})`],
    ["MODE", key.mode],
    ["STATE", stateOf(key, now)],
    ["CREATED", key.createdAt.toISOString()],
    ["SCOPES", key.scopes.join(" ")],
    ["SERVICES", key.services?.join(" ") ?? "all"],
    ["FROM", key.cidrs?.join(" ") ?? "any address"],
    ["A DAY", key.spendCapKobo === null ? "as much as the wallet has" : koboForPeople(key.spendCapKobo)],
    ["EXPIRES", key.expiresAt?.toISOString() ?? "never"],
    ["LAST USED", key.lastUsedAt?.toISOString() ?? "never"],
  ];
  return {
    ok: true,
    json: { ...keyView(key, now), account: accountId },
    text: tableText(["ID", encodeId("key", id)], rows),
  };
}

/** The keys of an account, the newest first; of each only its start and its last four characters. */
export async function keyList(db: Db, accountId: Uuid, now: Date): Promise<Report> {
  const keys = await listKeys(db, accountId);
  const rows = keys.map((key) => ({
    cells: [encodeId("key", key.id), endsOf(key), stateOf(key, now)],
    notes: [termsText(key), `last used ${key.lastUsedAt?.toISOString() ?? "never"}`],
  }));
  return {
    ok: true,
    json: { keys: keys.map((key) => keyView(key, now)) },
    text:
      keys.length > 0
        ? tableWithNotes(["ID", "KEY", "STATE"], rows)
        : `No key yet: ./afara key create --account ${encodeId("acc", accountId)} --mode test`,
  };
}

const endsOf = ({ start, last4 }: StoredKey): string => `${start}…${last4}`;

const termsText = ({ scopes, services, cidrs, spendCapKobo, expiresAt }: StoredKey): string =>
  [
    `scopes ${scopes.join(" ")}`,
    `services ${services?.join(" ") ?? "all"}`,
    `from ${cidrs?.join(" ") ?? "any address"}`,
    spendCapKobo === null ? "no cap" : `${koboForPeople(spendCapKobo)} a day`,
    `expires ${expiresAt?.toISOString() ?? "never"}`,
  ].join("; ");

function stateOf({ revokedAt, rolled, expiresAt }: StoredKey, now: Date): string {
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt <= now) return "expired";
  if (rolled) return rolled.until <= now ? "replaced" : "being replaced";
  return "active";
}

const keyView = (key: StoredKey, now: Date) => ({
  id: encodeId("key", key.id),
  mode: key.mode,
  start: key.start,
  last4: key.last4,
  state: stateOf(key, now),
  scopes: key.scopes,
  services: key.services,
  cidrs: key.cidrs,
  spend_cap: key.spendCapKobo === null ? null : koboToNaira(key.spendCapKobo),
  created_at: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  replaced_by: key.rolled ? encodeId("key", key.rolled.by) : null,
  works_until: key.rolled?.until.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
});
