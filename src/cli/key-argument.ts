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
 * The key that an argument names: by its id (or UUID, as logs have it), or the key itself, which is what one has in hand when it
 * was found somewhere. Commander would repeat a wrong argument on the terminal, so it is read here: a key is told to nobody.
 * Errors: `not_found` for a key that is none of this gateway's.
 */
export async function keyNamed({ db, config }: Pick<Session, "db" | "config">, text: string): Promise<Result<Uuid>> {
  const id = UUID.test(text) ? (text as Uuid) : decodeId("key", text);
  if (id !== undefined) return ok(id);
  if (!text.includes("afara_"))
    throw new CannotRun(`"${text}" is not a key's id (key_…), nor a key (afara_live_… or afara_test_…).`);
  if (checkApiKeyFormat(text) === undefined)
    throw new CannotRun(
      "That is not a whole key: its form or its checksum is wrong. The key's id (key_…) would do as well.",
    );
  const hash = (await hasherOf(db, config))(text);
  const found = (await findKeys(db, [hash])).get(hash.toString("hex"));
  return found ? ok(found.id) : refuse(refusal("not_found", "This gateway has never made that key."));
}
