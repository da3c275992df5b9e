import type { Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { recordLastUsed } from "./keys.repo.ts";

export interface LastUsed {
  /** Records in memory, without a query. */
  used(keyId: string): void;
  /** Writes the records to the database. Never rejects, as no request depends on it. */
  flush(): Promise<void>;
}

export interface LastUsedOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly everyMs?: number;
}

const EVERY_MS = 60_000;

/** The last use of each key: recorded in memory and written once a minute in one statement. */
export function makeLastUsed({ db, clock, log, everyMs = EVERY_MS }: LastUsedOptions): LastUsed {
  let remembered = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (remembered.size === 0) return;
    const uses = remembered;
    remembered = new Map();
    await recordLastUsed(
      db,
      [...uses].map(([keyId, atMs]) => ({ keyId, at: new Date(atMs) })),
    ).catch((error: unknown) => log.warn({ err: error }, "when keys were last used could not be written down"));
  };

  return {
    used(keyId) {
      remembered.set(keyId, clock.now().getTime());
      timer ??= setTimeout(() => void flush(), everyMs);
    },
    flush,
  };
}
