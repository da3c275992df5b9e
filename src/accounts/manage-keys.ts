import { randomBytes } from "node:crypto";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database, Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, newUuid, type Uuid } from "../kernel/ids.ts";
import { koboToNaira } from "../kernel/kobo.ts";
import { type Fault, refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import { findAccount } from "./accounts.repo.ts";
import { keyEnds, makeApiKey } from "./api-key.ts";
import { type Actor, type AuditDetails, audit } from "./audit.repo.ts";
import { announceChange } from "./changes.repo.ts";
import { faultsOfTerms, type KeyTerms } from "./key-terms.ts";
import { insertKey, lockKey, setRevoked, setRolled, setTerms } from "./keys.repo.ts";

export interface KeyManager {
  readonly db: Database;
  readonly clock: Clock;
  readonly config: Pick<ConfigFile, "services">;
  readonly hashKey: (key: string) => Buffer;
}

/** A new key in full. It is shown only once and can't be recovered. */
export interface MadeKey {
  readonly id: Uuid;
  readonly key: string;
}

export const OVERLAP_SECONDS = { default: 86_400, max: 7 * 86_400 } as const;

/** Errors: `not_found` for an unknown account, `validation_failed` with all faults of the terms. */
export async function createKey(manager: KeyManager, actor: Actor, terms: KeyTerms): Promise<Result<MadeKey>> {
  const faults = faultsOfTerms(terms, manager.config, manager.clock.now());
  if (faults.length > 0) return invalid(faults);
  return manager.db.transaction(async (tx) => {
    if (!(await findAccount(tx, terms.accountId)))
      return refuse(refusal("not_found", `There is no account ${encodeId("acc", terms.accountId)}.`));
    const made = await storeNewKey(tx, manager, terms, actor);
    await audit(tx, { actor, action: "key.create", subject: encodeId("key", made.id), details: detailsOf(terms) });
    return ok(made);
  });
}

/**
 * Creates a key with the terms of another, which stays valid for `overlapSeconds` (0 to 7 days) so that callers can switch.
 * Errors: `not_found`; `invalid_state` for a revoked, expired or already replaced key; `validation_failed`.
 */
export async function rollKey(
  manager: KeyManager,
  actor: Actor,
  id: Uuid,
  overlapSeconds: number,
): Promise<Result<MadeKey & { readonly oldKeyUntil: Date }>> {
  if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > OVERLAP_SECONDS.max)
    return invalid([{ pointer: "/overlap", code: "out_of_range", detail: "The overlap is 0 seconds to 7 days." }]);
  const at = manager.clock.now();
  return manager.db.transaction(async (tx) => {
    const old = await lockKey(tx, id);
    if (!old) return absent(id);
    const spent = old.revokedAt
      ? "was revoked"
      : old.rolled
        ? `was replaced by ${encodeId("key", old.rolled.by)} already`
        : old.expiresAt && old.expiresAt <= at
          ? "has expired"
          : undefined;
    if (spent) return refuse(refusal("invalid_state", `${encodeId("key", id)} ${spent}. Make a new key instead.`));

    const made = await storeNewKey(tx, manager, old, actor, old.spendsAs);
    const until = new Date(at.getTime() + overlapSeconds * 1_000);
    await setRolled(tx, id, { by: made.id, at, until });
    const details = { replaced_by: encodeId("key", made.id), works_until: until.toISOString() };
    await audit(tx, { actor, action: "key.roll", subject: encodeId("key", id), details });
    await announceChange(tx);
    return ok({ ...made, oldKeyUntil: until });
  });
}

/** The changeable terms of a key. Its services and scopes are fixed: create a new key for others. */
export type KeyChanges = Partial<Pick<KeyTerms, "cidrs" | "spendCapKobo">>;

/** Changes a key's allowed addresses and spend cap, on every node within 5 s. Errors: as `createKey`; `invalid_state`. */
export async function changeKey(
  manager: Pick<KeyManager, "db" | "clock" | "config">,
  actor: Actor,
  id: Uuid,
  changes: KeyChanges,
): Promise<Result<KeyTerms>> {
  return manager.db.transaction(async (tx) => {
    const key = await lockKey(tx, id);
    if (!key) return absent(id);
    if (key.revokedAt)
      return refuse(refusal("invalid_state", `${encodeId("key", id)} was revoked. Make a new key instead.`));
    const terms: KeyTerms = { ...key, ...changes };
    const faults = faultsOfTerms({ ...terms, expiresAt: null }, manager.config, manager.clock.now());
    if (faults.length > 0) return invalid(faults);
    await setTerms(tx, id, terms);
    await audit(tx, { actor, action: "key.change", subject: encodeId("key", id), details: detailsOf(terms) });
    await announceChange(tx);
    return ok(terms);
  });
}

/** Revokes a key permanently, on every node within 5 s. A repeat changes nothing. Errors: `not_found`. */
export async function revokeKey(
  { db, clock }: Pick<KeyManager, "db" | "clock">,
  actor: Actor,
  id: Uuid,
  reason?: string,
): Promise<Result<{ readonly revokedAt: Date }>> {
  return db.transaction(async (tx) => {
    const key = await lockKey(tx, id);
    if (!key) return absent(id);
    if (key.revokedAt) return ok({ revokedAt: key.revokedAt });
    const revokedAt = clock.now();
    await setRevoked(tx, id, revokedAt);
    await audit(tx, { actor, action: "key.revoke", subject: encodeId("key", id), ...(reason && { reason }) });
    await announceChange(tx);
    return ok({ revokedAt });
  });
}

async function storeNewKey(
  db: Db,
  { hashKey }: KeyManager,
  terms: KeyTerms,
  actor: Actor,
  spendsAs: Uuid | null = null,
): Promise<MadeKey> {
  const { accountId, mode, services, scopes, cidrs, expiresAt, spendCapKobo } = terms;
  const id = newUuid();
  const key = makeApiKey(mode, randomBytes);
  const stored = { accountId, mode, services, scopes, cidrs, expiresAt, spendCapKobo };
  const madeBy = actor.kind === "person" ? actor.id : null;
  await insertKey(db, { id, hash: hashKey(key), ...keyEnds(key), ...stored, spendsAs, madeBy });
  return { id, key };
}

const invalid = (faults: readonly Fault[]) =>
  refuse(refusal("validation_failed", faults.map(({ detail }) => detail).join(" "), { errors: faults }));

const absent = (id: Uuid) => refuse(refusal("not_found", `There is no key ${encodeId("key", id)}.`));

const detailsOf = (terms: KeyTerms): AuditDetails => ({
  account: encodeId("acc", terms.accountId),
  mode: terms.mode,
  services: terms.services,
  scopes: terms.scopes,
  cidrs: terms.cidrs,
  expires_at: terms.expiresAt?.toISOString() ?? null,
  spend_cap: terms.spendCapKobo === null ? null : koboToNaira(terms.spendCapKobo),
});
