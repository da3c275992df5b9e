import type { Uuid } from "../kernel/ids.ts";
import type { Actor } from "./audit.repo.ts";
import type { KeyRecord } from "./key-record.ts";

/** The caller as the audit log names it. */
export const actorOf = ({ person, keyId }: KeyRecord): Actor =>
  person ? { kind: "person", id: person.id } : { kind: "key", id: keyId as Uuid };
