import { createHmac } from "node:crypto";
import type { Db } from "../db/database.ts";
import { dropSetting, keepSetting, readSetting } from "./settings.repo.ts";

/**
 * The pepper of API keys must be the same on every node of a database and after every restart: with another one no stored key is
 * recognised, and nodes would refuse each other's keys. The database stores a fingerprint of it, which does not reveal a random
 * pepper.
 */
const SETTING = "secret_fingerprint";

export const fingerprintOf = (secret: string): string =>
  createHmac("sha256", secret).update("afara fingerprint").digest("hex");

export const OTHER_SECRET =
  "AFARA_SECRET: the API keys in this database were made with another secret, so none would be recognised. Give every node the same AFARA_SECRET; without one, the secret is the file `secret` in the data directory of the node that was first. If it is lost, see docs/operations/running.md";

/** Whether this is the database's secret; undefined while it has none. */
export async function isSecretOf(db: Db, secret: string): Promise<boolean | undefined> {
  const kept = await readSetting(db, SETTING);
  return kept === undefined ? undefined : kept === fingerprintOf(secret);
}

/** The first node's secret becomes the database's; a node with another one must not start. */
export async function checkSecret(db: Db, secret: string): Promise<void> {
  const fingerprint = fingerprintOf(secret);
  if ((await keepSetting(db, SETTING, fingerprint)) !== fingerprint) throw new Error(OTHER_SECRET);
}

/** Forgets a lost secret: the next start sets its own, and earlier keys stop working. */
export const forgetSecret = (db: Db): Promise<void> => dropSetting(db, SETTING);
