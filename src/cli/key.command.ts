import { findAccount } from "../accounts/accounts.repo.ts";
import type { KeyTerms } from "../accounts/key-terms.ts";
import { findKey, listKeys, type StoredKey } from "../accounts/keys.repo.ts";
import {
  changeKey,
  createKey,
  type KeyChanges,
  type KeyManager,
  OVERLAP_SECONDS,
  revokeKey,
  rollKey,
} from "../accounts/manage-keys.ts";
import { onOffer } from "../app/services.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { koboForPeople, koboToNaira } from "../kernel/kobo.ts";
import { refusal } from "../kernel/refusal.ts";
import { ofAccount } from "./account-argument.ts";
import type { Session } from "./cli.ts";
import { keyNamed } from "./key-argument.ts";
import { type Report, refusedReport, tableText, tableWithNotes } from "./report.ts";
import { hasherOf } from "./secret.ts";

const ONCE = "It is shown only once; store it with your program's secrets.";

const managerOf = async ({ db, config, clock }: Session): Promise<KeyManager> => ({
  db,
  clock,
  config: onOffer(config.file),
  hashKey: await hasherOf(db, config),
});

/** Runs `act` on the key that an argument names. */
async function onKey(session: Session, named: string, act: (id: Uuid) => Promise<Report>): Promise<Report> {
  const id = await keyNamed(session, named);
  return id.ok ? act(id.value) : refusedReport(id.error);
}

export async function keyCreate(session: Session, terms: KeyTerms): Promise<Report> {
  const created = await createKey(await managerOf(session), session.operator, terms);
  if (!created.ok) return refusedReport(created.error);
  const id = encodeId("key", created.value.id);
  return { ok: true, json: { id, key: created.value.key }, text: `${created.value.key}\n\nKey ${id}. ${ONCE}` };
}

export const keyRoll = (
  session: Session,
  named: string,
  overlapSeconds: number = OVERLAP_SECONDS.default,
): Promise<Report> => onKey(session, named, (id) => roll(session, id, overlapSeconds));

async function roll(session: Session, old: Uuid, overlapSeconds: number): Promise<Report> {
  const rolled = await rollKey(await managerOf(session), session.operator, old, overlapSeconds);
  if (!rolled.ok) return refusedReport(rolled.error);
  const { id, key, oldKeyUntil } = rolled.value;
  const until = oldKeyUntil.toISOString();
  return {
    ok: true,
    json: { id: encodeId("key", id), key, old_key: encodeId("key", old), old_key_works_until: until },
    text: `${key}\n\nKey ${encodeId("key", id)}. ${ONCE}\n${encodeId("key", old)} works until ${until}.`,
  };
}

export const keySet = (session: Session, named: string, changes: KeyChanges): Promise<Report> =>
  onKey(session, named, (id) => set(session, id, changes));

async function set({ db, config, clock, operator }: Session, id: Uuid, changes: KeyChanges): Promise<Report> {
  const changed = await changeKey({ db, clock, config: onOffer(config.file) }, operator, id, changes);
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
    text: `${encodeId("key", id)} may be used from ${from} and spend ${spends}; every node applies this within 5 s.`,
  };
}

export const keyRevoke = (session: Session, named: string, reason?: string): Promise<Report> =>
  onKey(session, named, (id) => revoke(session, id, reason));

async function revoke({ db, clock, operator }: Session, id: Uuid, reason?: string): Promise<Report> {
  const revoked = await revokeKey({ db, clock }, operator, id, reason);
  if (!revoked.ok) return refusedReport(revoked.error);
  const at = revoked.value.revokedAt.toISOString();
  return {
    ok: true,
    json: { id: encodeId("key", id), revoked_at: at },
    text: `${encodeId("key", id)} is revoked (${at}): every node refuses it within 5 s.`,
  };
}

/** One key: its account and its permissions. */
export const keyShow = (session: Session, named: string): Promise<Report> =>
  onKey(session, named, (id) => show(session, id));

async function show({ db, clock }: Session, id: Uuid): Promise<Report> {
  const now = clock.now();
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

/** An account's keys, newest first, each shown by its start and its last four characters. */
export const keyList = ({ db, clock }: Session, accountId: Uuid): Promise<Report> =>
  ofAccount(db, accountId, async () => listed(await listKeys(db, accountId), accountId, clock.now()));

function listed(keys: readonly StoredKey[], accountId: Uuid, now: Date): Report {
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
