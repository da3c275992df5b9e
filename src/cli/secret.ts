import { existsSync, readFileSync } from "node:fs";
import { hashApiKey } from "../accounts/api-key.ts";
import { isSecretOf, OTHER_SECRET } from "../accounts/secret.ts";
import { dataFile } from "../config/config.ts";
import type { Config } from "../config/gateway-config.ts";
import type { Db } from "../db/database.ts";
import { CannotRun } from "./report.ts";

/** The secret of a gateway with this environment and data directory; undefined if its start would create one. */
export function secretOf(config: Config): string | undefined {
  const kept = dataFile(config, "secret");
  return config.secret ?? (existsSync(kept) ? readFileSync(kept, "utf8").trim() : undefined);
}

const NO_SECRET =
  "Keys and tokens need the gateway's secret, which is missing: set AFARA_SECRET, or set AFARA_DATA_DIR to the gateway's data directory.";

/** The secret of this database's gateway: keys and tokens made with another one would be unusable. */
export async function ownSecret(db: Db, config: Config): Promise<string> {
  const secret = secretOf(config);
  if (secret === undefined) throw new CannotRun(NO_SECRET);
  const own = await isSecretOf(db, secret);
  if (own === undefined) throw new CannotRun("No gateway has started on this database yet: start one first.");
  if (!own) throw new CannotRun(OTHER_SECRET);
  return secret;
}

/** How the gateway of this database hashes keys. */
export async function hasherOf(db: Db, config: Config): Promise<(key: string) => Buffer> {
  const secret = await ownSecret(db, config);
  return (key) => hashApiKey(secret, key);
}
