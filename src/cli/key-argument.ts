import { checkApiKeyFormat } from "../accounts/api-key.ts";
import { findKeys } from "../accounts/keys.repo.ts";
import { decodeId, type Uuid } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { ok, type Result, refuse } from "../kernel/result.ts";
import type { Session } from "./cli.ts";
import { CannotRun } from "./report.ts";
import { hasherOf } from "./secret.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Resolves an argument to a key: its ID, its UUID from the logs, or the key itself, as found in a leak. Commander would echo a
 * wrong argument on the terminal, so it is parsed here: a key is never printed.
 * Errors: `not_found` for a key of another gateway.
 */
export async function keyNamed({ db, config }: Pick<Session, "db" | "config">, text: string): Promise<Result<Uuid>> {
  const id = UUID.test(text) ? (text as Uuid) : decodeId("key", text);
  if (id !== undefined) return ok(id);
  if (!text.includes("afara_"))
    throw new CannotRun(`"${text}" is neither a key's ID (key_…) nor a key (afara_live_… or afara_test_…).`);
  if (checkApiKeyFormat(text) === undefined)
    throw new CannotRun(
      "That key is incomplete or malformed: its format or its checksum is wrong. The key's ID (key_…) also works.",
    );
  const hash = (await hasherOf(db, config))(text);
  const found = (await findKeys(db, [hash])).get(hash.toString("hex"));
  return found ? ok(found.id) : refuse(refusal("not_found", "This gateway never issued that key."));
}
