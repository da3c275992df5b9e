import { hash } from "node:crypto";
import type { Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Provider } from "../ports/provider.ts";
import { claimFiles, type DueFile, forgetFiles, keepFile, keptBytes, postponeFile } from "./inbound-media.repo.ts";

export interface InboundMediaOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly providers: ReadonlyMap<string, Pick<Provider, "downloadMedia">>;
  /** How long files are kept. */
  readonly keptMs: number;
}

/** A row of the database holds it. Larger files stay with the vendor, and their message says so. */
export const INBOUND_BYTES_MAX = 16 * 1_024 * 1_024;
const BATCH_MAX = 4;
/** A node that dies over a file lets it be fetched again. */
const CLAIMED_MS = 120_000;
/** Doubled with each try: 2 s, 4 s … about four hours in all; the vendor keeps it for days. */
const FIRST_RETRY_MS = 2_000;
const TRIES_MAX = 13;
/** With its parameters, as in `audio/ogg; codecs=opus`. */
const MIME = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?:; ?[\w=".+-]{1,60})?$/;
/** Of one account in one mode: whoever writes to it must not be able to fill the disk. */
const KEPT_BYTES_MAX = 1n << 30n;

/** A job of every node: fetches the files that people sent, and forgets those that were kept long enough. */
export function makeInboundMedia({ db, clock, log, providers, keptMs }: InboundMediaOptions): () => Promise<void> {
  const later = (ms: number) => new Date(clock.now().getTime() + ms);

  const fetchOne = async ({ messageId, provider, vendorId, tries }: DueFile): Promise<void> => {
    if ((await keptBytes(db, messageId)) >= KEPT_BYTES_MAX) {
      log.warn(
        { provider, message: messageId },
        "an account has as many files of people's as are kept; this one is not",
      );
      return postponeFile(db, messageId, null);
    }
    const file = await providers.get(provider)?.downloadMedia?.(vendorId, INBOUND_BYTES_MAX);
    if (file) {
      const sha256 = hash("sha256", file.bytes, "buffer");
      const mimeType = MIME.test(file.mimeType) ? file.mimeType : "application/octet-stream";
      await keepFile(db, messageId, { bytes: file.bytes, mimeType, sha256 }, later(keptMs));
      return;
    }
    const isOver = tries >= TRIES_MAX;
    if (isOver) log.warn({ provider, message: messageId }, "a file that somebody sent can't be had");
    await postponeFile(db, messageId, isOver ? null : later(FIRST_RETRY_MS * 2 ** (tries - 1)));
  };

  return async () => {
    await forgetFiles(db, clock.now());
    const due = await claimFiles(db, clock.now(), later(CLAIMED_MS), BATCH_MAX);
    await Promise.all(due.map(fetchOne));
  };
}
